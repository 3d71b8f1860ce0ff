import type { Lookup } from "../../src/functions/lookup";

export interface FieldDescription {
  readonly text: string;
  readonly members: Readonly<Record<string, FieldDescription>>;
}

export interface ResourceDescription {
  /** The file's name, without its folder. */
  readonly file: string;
  readonly text: string;
  /** A fenced block. */
  readonly example: string | undefined;
  /** The last one, if there are several: the package schema has it in every language. */
  readonly portableExample: string | undefined;
  /** Sentences of `@behaviour`, for a class that no definition describes. */
  readonly behaviour: readonly string[];
  readonly remarks: readonly string[];
  readonly inputs: Readonly<Record<string, FieldDescription>>;
  readonly planned: Readonly<Record<string, FieldDescription>>;
  readonly outputs: Readonly<Record<string, FieldDescription>>;
}

/** A lookup with its sentence. */
export type DescribedLookup = Lookup & { readonly about: string };

export function describedLookups(
  folder: string,
  lookups: Readonly<Record<string, Lookup>>,
): Readonly<Record<string, DescribedLookup>>;
export function descriptionsIn(folder: string): Readonly<Record<string, ResourceDescription>>;
