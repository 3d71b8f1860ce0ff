/**
 * True if a value contains no output, promise or resource. Such a value is known and not secret, so it needs no `pulumi.output`, which
 * takes long for a program with many resources: it makes an output of each value inside.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const isContainer = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isContainer && Object.values(value).every(isPlain);
}
