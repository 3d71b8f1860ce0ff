import type { ProgramFiles } from "../../../../tools/pulumi/stack.cjs";
import { snakeCase } from "../../../kinds/derived";
import { writtenArguments, type Declaration, type Notation } from "./typed-values";

const notation: Notation = {
  scalar: (value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)),
  any: (value) => JSON.stringify(value),
  list: (items) => `[${items.join(", ")}]`,
  enumeration: (_name, value) => JSON.stringify(value),
  object: (name, members) => `cloudinfra.${name}Args(${assignments(members)})`,
};

function assignments(members: readonly (readonly [string, string])[]): string {
  return members.map(([name, text]) => `${snakeCase(name)}=${text}`).join(", ");
}

/**
 * A Python program with these resources and outputs. An output is an expression, with the logical names of resources.
 */
export function pythonProgram(
  resources: readonly Declaration[],
  outputs: Readonly<Record<string, string>>,
): ProgramFiles {
  const lines = resources.map((resource) => {
    const args = assignments(writtenArguments(notation, resource));
    return `${resource.name} = cloudinfra.${resource.type}("${resource.name}", ${args})`;
  });
  const exports = Object.entries(outputs).map(([name, code]) => `pulumi.export("${name}", ${code})`);
  const text = ["import pulumi", "import pulumi_cloudinfra as cloudinfra", ...lines, ...exports, ""].join("\n");
  return { runtime: "python", files: { "__main__.py": text } };
}
