import { join } from "node:path";
import type { ProgramFiles } from "../../../../tools/pulumi/stack.cjs";
import { goModule } from "../../../../tools/sdk/go-environment.cjs";
import { nameOf, writtenArguments, type Declaration, type Notation, type PropertyType } from "./typed-values";

const SCALARS: Readonly<Record<string, string>> = {
  string: "String",
  integer: "Int",
  boolean: "Bool",
  number: "Float64",
};
const SDK = "github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdk/go/cloudinfra";

const notation: Notation = {
  scalar: (value, type) => `pulumi.${SCALARS[type]}(${JSON.stringify(value)})`,
  any: (value) => `pulumi.Any(${JSON.stringify(value)})`,
  list: (items, item) => `${arrayOf(item)}{${items.join(", ")}}`,
  enumeration: (name, value) => `cloudinfra.${name}(${JSON.stringify(value)})`,
  object: (name, members) => `cloudinfra.${name}Args{${assignments(members)}}`,
};

function arrayOf({ type = "", $ref }: PropertyType): string {
  return $ref === undefined ? `pulumi.${SCALARS[type]}Array` : `cloudinfra.${nameOf($ref)}Array`;
}

function assignments(members: readonly (readonly [string, string])[]): string {
  return members.map(([name, text]) => `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${text}`).join(", ");
}

/** A Go program with these resources and outputs. An output is an expression, with the logical names of resources. */
export function goProgram(
  resources: readonly Declaration[],
  outputs: Readonly<Record<string, string>>,
  sdk: string,
): ProgramFiles {
  const lines = resources.map((resource) => {
    const args = assignments(writtenArguments(notation, resource));
    return `
		${resource.name}, err := cloudinfra.New${resource.type}(ctx, "${resource.name}", &cloudinfra.${resource.type}Args{${args}})
		if err != nil {
			return err
		}
		_ = ${resource.name}`;
  });
  const exports = Object.entries(outputs).map(([name, code]) => `ctx.Export("${name}", ${code})`);
  const text = `package main

import (
	"${SDK}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {${lines.join("\n")}
		${exports.join("\n\t\t")}
		return nil
	})
}
`;
  return { runtime: "go", files: { "main.go": text, ...moduleWith(sdk) } };
}

/** The files of a module of programs that use this generated SDK. */
export function moduleWith(sdk: string): Readonly<Record<string, string>> {
  return goModule(`module test\n\ngo 1.25.8\n\nrequire ${SDK} v0.0.0\nreplace ${SDK} => ${join(sdk, "cloudinfra")}\n`);
}
