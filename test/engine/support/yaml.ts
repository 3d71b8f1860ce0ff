import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

// YAML programs need a language host of their own, which `npm run test:all` builds if there is Go.
const hasHost = (process.env["PATH"] ?? "")
  .split(delimiter)
  .some((folder) => existsSync(join(folder, "pulumi-language-yaml")));
if (!hasHost) console.warn("pulumi-language-yaml is not on PATH: the tests of YAML programs are left out");

/** Tests of YAML programs, if they can run here. */
export const describeYaml = hasHost ? describe : describe.skip;

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
