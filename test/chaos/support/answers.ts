/** The secrets of keys in an answer. */
export function secretsIn(body: string): readonly string[] {
  return Array.from(body.matchAll(/"key":"([^"]+)"/g), ([, secret = ""]) => secret);
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
