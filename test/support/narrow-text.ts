import { stripVTControlCharacters } from "node:util";

/** Terminal widths at which no command breaks a word. */
export const WIDTHS = [60, 80];

/** Expects that a text for a narrow terminal has the same words as the unlimited one, and no line that is too long. */
export function expectToFit(narrow: string, wide: string, columns: number): void {
  const [shown, words] = [stripVTControlCharacters(narrow), stripVTControlCharacters(wide).split(/\s+/)];
  expect(shown.split("\n").filter((line) => line.length > columns)).toEqual([]);
  expect(shown.split(/\s+/).filter((word) => !words.includes(word) && !words.includes(word.replace(/:$/, "")))).toEqual(
    [],
  );
}
