/** The parts of a resource's URN: `urn:pulumi:<stack>::<project>::<types>::<logical name>`. */
export interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** The type token: `cloudinfra:index:ConnectConnection`. */
  readonly token: string;
  /** The last part of the type token: `ConnectConnection`. */
  readonly type: string;
  /** The logical name: the name in the program. */
  readonly name: string;
}

/** Splits a URN. Any other text gives empty parts. */
export function urnParts(urn: string): UrnParts {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  const token = types.slice(types.lastIndexOf("$") + 1); // after those of the parents
  return { stack, project, token, type: token.slice(token.lastIndexOf(":") + 1), name: name.join("::") };
}
