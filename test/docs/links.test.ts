import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { pages, pageText, ROOT } from "./support/markdown";

/** The links of a page to files of this repository. */
function internalLinks(page: string): readonly string[] {
  const text = pageText(page).replace(/^```[^]*?^```$/gm, "");
  const targets = Array.from(text.matchAll(/\]\((?<target>[^)\s]+)\)/g), ({ groups }) => groups?.["target"] ?? "");
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): readonly string[] {
  return Array.from(pageText(page).matchAll(/^#+ (?<heading>.*)$/gm), ({ groups }) =>
    (groups?.["heading"] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it.each(pages())("every link of %s has a target", (page) => {
  const broken = internalLinks(page).filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});

it("every page can be reached from the README", () => {
  const reached = new Set<string>();
  const visit = (page: string): void => {
    if (reached.has(page)) return;
    reached.add(page);
    for (const link of internalLinks(page)) {
      const target = normalize(join(dirname(page), link.split("#")[0] ?? ""));
      if (target.endsWith(".md")) visit(target);
    }
  };
  visit("README.md");
  expect(pages().filter((page) => !reached.has(page))).toEqual([]);
});
