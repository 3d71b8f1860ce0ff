import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, tableAfter } from "./support/markdown";

const rows = tableAfter("docs/reliability.md", "faults");

it.each(rows)("names an existing test in row %#", (_fault, _seen, _guaranteed, proof = "") => {
  const [, file = "", title = ""] = /^(test\/\S+\.ts): "(.+)"$/.exec(proof) ?? [];
  expect(existsSync(join(ROOT, file)) && file).toBe(file);
  const titles = Array.from(
    readFileSync(join(ROOT, file), "utf8").matchAll(/(?:\b(?:it|describe|title)\b[^"`]*|\]\)\()["`](.+?)["`],/g),
    ([, text = ""]) => text,
  );
  expect({ title, isThere: titles.some((text) => text.includes(title)) }).toEqual({ title, isThere: true });
});
