import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Compares a text with the file that says what it has to be. `UPDATE_GOLDEN=true npm test -- test/cost` writes the files anew: what
 * has changed is then to be read in the diff.
 */
export function expectGolden(file: string, text: string): void {
  const path = join(__dirname, "golden", file);
  if (process.env["UPDATE_GOLDEN"] === "true") writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, "utf8"));
}
