import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Compares a text with its golden file. `UPDATE_GOLDEN=true npm test -- test/cost` writes the files anew: then review
 * the diff.
 */
export function expectGolden(file: string, text: string): void {
  const path = join(__dirname, "golden", file);
  if (process.env["UPDATE_GOLDEN"] === "true") writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, "utf8"));
}
