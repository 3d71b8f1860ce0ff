import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A property of the package schema, as far as it says how to write its values. */
export interface PropertySchema {
  readonly description: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Omit<PropertySchema, "description">;
  readonly oneOf?: readonly Omit<PropertySchema, "description">[];
}

/** The members of an object with its types. */
export type Members = Readonly<Record<string, PropertySchema>>;

export interface ObjectSchema {
  readonly properties: Members;
  readonly required?: readonly string[];
}

interface TypeSchema extends Partial<ObjectSchema> {
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly { readonly name: string; readonly value: string | number; readonly description: string }[];
}

interface PackageSchema {
  readonly config: { readonly variables: Members };
  readonly provider: { readonly inputProperties: Members };
  readonly types: Readonly<Record<string, TypeSchema>>;
  readonly functions: Readonly<
    Record<string, { readonly description: string; readonly inputs: ObjectSchema; readonly outputs: ObjectSchema }>
  >;
  readonly resources: Readonly<Record<string, ResourceSchema>>;
}

interface ResourceSchema extends ObjectSchema {
  readonly description: string;
  readonly isComponent?: true;
  readonly inputProperties: Members;
  readonly requiredInputs: readonly string[];
  readonly listInputs?: ObjectSchema;
}

/** The package schema of this checkout. */
export const schema = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "plugin", "schema.json"), "utf8"),
) as PackageSchema;

/** The example in a language from a description of the package schema. Undefined if there is none. */
export function exampleIn(description: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(description)?.[1] ?? "";
}
