import { describeWithHost } from "./languages/hosts";

/** Tests of YAML programs, if they can run here. */
export const describeYaml = describeWithHost("yaml");

/** A resource of a YAML program. */
export interface YamlResource {
  readonly type: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A resource of the first-class provider. */
export function yaml(type: string, properties: Readonly<Record<string, unknown>>, options?: object): YamlResource {
  return { type: `cloudinfra:index:${type}`, properties, ...(options && { options: { ...options } }) };
}
