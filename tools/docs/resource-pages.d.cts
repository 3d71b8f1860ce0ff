import type { ClassDescription } from "./class-description.cjs";
import type { ResourceDescription } from "./descriptions.cjs";
import type { Definition } from "../../src/definition/types";

export const COMMAND: string;
export function resourcePages(
  definitions: readonly Definition[],
  descriptions: Readonly<Record<string, ResourceDescription>>,
  classes?: readonly ClassDescription[],
): Readonly<Record<string, string>>;
