import type { ResourceKind } from "../../src/lifecycle/kind/kind";
import type { Enumeration } from "../../src/definition/enumeration";
import type { Lookup } from "../../src/functions/lookup-definition";
import type { ClassDescription } from "../docs/class-description.cjs";
import type { ResourceDescription } from "../docs/descriptions.cjs";

export interface FunctionSchema {
  readonly description: string;
  readonly inputs: {
    readonly properties: Readonly<Record<string, PropertySchema>>;
    readonly required?: readonly string[];
  };
  readonly outputs: {
    readonly properties: Readonly<Record<string, PropertySchema>>;
    readonly required: readonly string[];
  };
}

export interface PropertySchema {
  readonly type?: string;
  readonly $ref?: string;
  readonly oneOf?: readonly { readonly type?: string; readonly $ref?: string }[];
  readonly items?: Omit<PropertySchema, "description">;
  readonly description: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly default?: string | number | boolean;
}

export interface Settings {
  readonly settings: Readonly<Record<string, { readonly form: string | Enumeration; readonly default?: string }>>;
  readonly descriptions: Readonly<Record<string, string>>;
  environmentName(key: string): string;
}

export interface TypeSchema {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly name: string; readonly value: string | number; readonly description: string }[];
}

export interface PackageSchema {
  readonly name: string;
  readonly version: string;
  readonly config: { readonly variables: Readonly<Record<string, PropertySchema>> };
  readonly provider: { readonly inputProperties: Readonly<Record<string, PropertySchema>> };
  readonly types: Readonly<Record<string, TypeSchema>>;
  readonly functions: Readonly<Record<string, FunctionSchema>>;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly isComponent?: true;
        readonly inputProperties: Readonly<Record<string, PropertySchema>>;
        readonly requiredInputs: readonly string[];
        readonly properties: Readonly<Record<string, PropertySchema>>;
        readonly required: readonly string[];
        readonly listInputs?: {
          readonly properties: Readonly<Record<string, PropertySchema>>;
          readonly required: readonly string[];
        };
      }
    >
  >;
}

export function packageSchema(source: {
  readonly definitions: readonly ResourceKind[];
  readonly lookups: Readonly<Record<string, DescribedLookup>>;
  readonly classes: readonly ClassDescription[];
  readonly descriptions: Readonly<Record<string, ResourceDescription>>;
  readonly settings: Settings;
  readonly version: string;
}): PackageSchema;
