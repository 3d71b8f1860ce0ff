import { jsonOf } from "../../support/proxy/actions";

/** The secrets of keys in an answer. */
export function secretsIn(body: string): readonly string[] {
  return Array.from(body.matchAll(/"key":"([^"]+)"/g), ([, secret = ""]) => secret);
}

/** The id of the object in the answer to a creation. */
export function idIn(body: string): string | undefined {
  const { resource_id: resourceId, id } = jsonOf(body) ?? {};
  return [resourceId, id].find((one) => typeof one === "string");
}

/** All texts of an error and its causes, which a crash would show too. */
export function textOfError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const cause = [error.cause, ...causes].filter((one) => one !== undefined).map(textOfError);
  return [error.message, ...cause].join("\n  because: ");
}

/** The stable codes of an error and of its causes. */
export function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  return [...own, ...codesOf(error.cause)];
}
