import type { Definition } from "../../src/definition/definition";
import type { ResourceDescription } from "../docs/descriptions.cjs";

export interface PropertySchema {
  readonly type?: string;
  readonly $ref?: string;
  readonly description: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
}

export interface PackageSchema {
  readonly name: string;
  readonly version: string;
  readonly types: Readonly<Record<string, object>>;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly inputProperties: Readonly<Record<string, PropertySchema>>;
        readonly requiredInputs: readonly string[];
        readonly properties: Readonly<Record<string, PropertySchema>>;
        readonly required: readonly string[];
      }
    >
  >;
}

export function packageSchema(source: {
  readonly definitions: readonly Definition[];
  readonly descriptions: Readonly<Record<string, ResourceDescription>>;
  readonly configKeys: readonly string[];
  readonly version: string;
}): PackageSchema;
