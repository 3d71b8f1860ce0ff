import type { ClassDescription } from "./class-description.cjs";
import type { ResourceDescription } from "./descriptions.cjs";
import type { ResourceKind } from "../../src/lifecycle/kind/kind";

export const COMMAND: string;
export function resourcePages(
  kinds: readonly ResourceKind[],
  descriptions: Readonly<Record<string, ResourceDescription>>,
  classes?: readonly ClassDescription[],
): Readonly<Record<string, string>>;
