/** The secrets of keys in an answer of the service. */
export function secretsIn(body: string): readonly string[] {
  return Array.from(body.matchAll(/"key":"([^"]+)"/g), ([, secret = ""]) => secret);
}
