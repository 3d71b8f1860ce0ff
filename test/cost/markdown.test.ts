import fc from "fast-check";
import { forAll } from "../support/for-all";
import { costMarker, costMarkdown, markdownCode, markdownText } from "../../src/cost/markdown";
import { expectGolden } from "./golden";
import { everyKindOfRow, quote, sampleReport, type Sample } from "./sample-reports";

/** New connections, each a little more expensive than the previous one. */
function newLinks(count: number, name = (index: number): string => `link-${index}`): Sample[] {
  return Array.from({ length: count }, (_, index) => ({ name: name(index), after: `${index + 1}` }));
}

/** The rows of the tables in a text, by their cells. Code spans contain no bars. */
function tableRows(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.slice(1, -1).split("|"));
}

/** A text without its code spans: only this part can have Markdown syntax. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]+`/g, "");

describe("a report as Markdown", () => {
  it("the Markdown matches its golden file", () => {
    expectGolden("everything.md", costMarkdown([everyKindOfRow()]));
  });

  it("no changes match their golden file", () => {
    const same = sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }]);
    expectGolden("nothing.md", costMarkdown([same, sampleReport([], { stack: "empty" })]));
  });

  it("keeps the marker of a hostile stack name intact", () => {
    expect(costMarker({ project: "p", stack: "a --> <b>" })).toBe(
      "<!-- pulumi-cloudinfra cost: p/a%20--%3E%20%3Cb%3E -->",
    );
    expect(costMarker({ project: "p", stack: "a/b" })).not.toBe(costMarker({ project: "p/a", stack: "b" }));
  });

  it("marks and titles the stacks of two organizations differently", () => {
    const [acme, other] = ["acme", "other"].map((pulumiOrganization) =>
      costMarkdown([sampleReport([], { pulumiOrganization })]),
    );
    expect(acme).toMatch(/^<!-- pulumi-cloudinfra cost: acme\/my-infra\/dev -->\n\n### .* `acme\/my-infra\/dev`/);
    expect(other).toMatch(/^<!-- pulumi-cloudinfra cost: other\/my-infra\/dev -->/);
  });
});

describe("names and reasons in Markdown", () => {
  it.each([
    ["a mention", "ask @team about it", "ask `@team` about it"],
    ["a link", "see https://evil.example or www.evil.example", "see `https://evil.example` or `www.evil.example`"],
    ["an address", "mail to a@b.example", "mail to `a@b.example`"],
    ["HTML", "<img src=x> is <b>bold</b>", "`<img src=x>` is `<b>bold</b>`"],
    ["an issue's number", "fixes #12 and GH-12", "fixes `#12` and `GH-12`"],
    ["markup", "*very* _important_ ~~not~~ [x](y)", "`*very* _important_ ~~not~~ [x](y)`"],
    ["the end of a cell", "a | b", "a `¦` b"],
    ["a code span", "run `rm`", "run `ˋrmˋ`"],
    ["lines", "one\n\n# two", "one `#` two"],
    ["sums of money", "from $78.13/mo to <$0.01, -$3.00", "from $78.13/mo to &lt;$0.01, -$3.00"],
  ])("shows %s in a sentence literally", (_, text, shown) => {
    expect(markdownText(text)).toBe(shown);
  });

  it("a sentence has no markup outside code spans", () => {
    forAll(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      expect(withoutCode(markdownText(text)).replaceAll("&lt;$", "$")).toMatch(/^[\p{L}\p{N} $().,:;+'’→/-]*$/u);
    });
  });

  it("a name is one code span in a table", () => {
    forAll(fc.string({ unit: "binary", maxLength: 40 }), (name) => {
      expect(markdownCode(name)).toMatch(/^`[^`|\n]+`$/);
    });
  });

  it("names and reasons break no table", () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from("ab|`<>\n\\@#*_[]-!:/ ")) });
    forAll(text, text, text, text, (name, type, reason, stack) => {
      const samples = [
        { name, type, after: "1" },
        { name: `${name}2`, type, unknown: reason },
      ];
      const markdown = costMarkdown([sampleReport(samples, { stack })]);
      expect(new Set(tableRows(withoutCode(markdown)).map((cells) => cells.length))).toEqual(new Set([4]));
      expect(markdown).not.toMatch(/^(?!<!-- pulumi-cloudinfra cost: [^<>]+ -->$|### |\||- |$)/m);
    });
  });
});

describe("the length of a report as Markdown", () => {
  it("many changes: 20 rows, and the rest in one", () => {
    const rows = tableRows(costMarkdown([sampleReport(newLinks(1_000))]).split("<details>")[0]!);
    expect(rows[2]).toEqual([" `+` ConnectConnection `link-999` ", " - ", " $1,000.00 ", " +$1,000.00 "]);
    expect(rows.slice(-2)).toEqual([
      [" and 980 more ", " - ", " $480,690.00 ", " +$480,690.00 "],
      [" **total** ", " **$0.00** ", " **$500,500.00** ", " **+$500,500.00** "],
    ]);
    expect(rows).toHaveLength(24);
  });

  it.each([
    ["rows", newLinks(1_000, (index) => `${"|".repeat(250)}${index}`)],
    ["reasons", newLinks(1_000).map(({ name }) => ({ name, unknown: "* ".repeat(400) }))],
    ["names", newLinks(1_000, (index) => `${index}${"x".repeat(5_000)}`)],
  ])("cuts whole rows if 1,000 %s are too long", (_, samples) => {
    const markdown = costMarkdown([sampleReport(samples)], { limit: Infinity });
    expect(markdown.length).toBeLessThanOrEqual(65_536);
    expect(markdown).toMatch(/and \d+ more|\d+ more is left out/);
    const counts = new Set(tableRows(markdown).map((cells) => cells.length));
    counts.delete(5);
    expect(counts).toEqual(new Set(markdown.includes("|") ? [4] : []));
    expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
  });

  it.each([1, 2, 5, 20])("fits %i long stacks into one comment", (count) => {
    const links = newLinks(500, (nth) => `${"n".repeat(20)}${nth}`);
    const reports = Array.from({ length: count }, (_, index) => sampleReport(links, { stack: `stack-${index}` }));
    const markdown = costMarkdown(reports, { limit: Infinity });
    expect(markdown.length).toBeLessThanOrEqual(65_536);
    expect(markdown.length).toBeGreaterThan(65_536 * 0.3);
    for (const report of reports) expect(markdown).toContain(costMarker(report));
    expect(markdown.includes("### Monthly cost of all stacks")).toBe(count > 1);
  });

  it("counts the resources whose usage is left out", () => {
    const rows = Array.from({ length: 100 }, (_, nth) => [`Dimension number ${nth}`, 1, "0.5", "0"] as const);
    const samples = newLinks(20).map(({ name, after }) => ({ name, after: quote(after as string, ...rows) }));
    const markdown = costMarkdown([sampleReport(samples)]);
    expect(markdown.length).toBeLessThanOrEqual(65_536);
    const shown = markdown.match(/^\| Dimension \|/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(3);
    expect(markdown).toContain(`The usage of ${20 - shown} more is left out.`);
  });
});
