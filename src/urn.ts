/** What a resource's URN says: `urn:pulumi:<stack>::<project>::<types>::<logical name>`. */
export interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** The last part of the type token: `ConnectConnection`. */
  readonly type: string;
  /** The logical name: what the program calls the resource. */
  readonly name: string;
}

/** Takes a URN apart. What is no URN has empty parts. */
export function urnParts(urn: string): UrnParts {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, type: types.slice(types.lastIndexOf(":") + 1), name: name.join("::") };
}
