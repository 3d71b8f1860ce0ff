import type { Props, ResourceKind } from "./kind";

/**
 * The body of an update: the members of the creation body that stand for the changed fields, so that an optional field
 * that was taken away is cleared by its empty value. One field is one member of the body, in snake case.
 */
export function wireUpdateOf(kind: ResourceKind, inputs: Props, changed: readonly string[], now: number): Props {
  const body = kind.toWire(inputs, now);
  return Object.fromEntries(
    changed
      .filter((field) => kind.policies[field]?.change === "update")
      .map(snakeCase)
      .filter((member) => body[member] !== undefined)
      .map((member) => [member, body[member]]),
  );
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
