import fc from "fast-check";
import { forAll } from "../support/for-all";
import { overBudget } from "../../src/cost/budget";
import { costHtml } from "../../src/cost/html";
import { STYLE } from "../../src/cost/html-style";
import { decimal } from "../../src/cost/money";
import { expectGolden } from "./golden";
import { everyKindOfRow, sampleReport } from "./sample-reports";

/** The beginning of each tag that does not stand in the middle of a sentence. */
const BLOCK = / ?<(?!\/|(?:a|b|br|code|small|span|strong|time)\b)/g;

/** The tags of a page, without the values of their attributes. */
const tagsOf = (page: string): string =>
  page
    .replaceAll(/"[^"]*"/g, '""')
    .match(/<[^>]*>/g)!
    .join("\n");

// test/browser checks most promises of the page in a browser.
describe("a report as HTML", () => {
  it("the HTML page matches its golden file", () => {
    const same = sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }], { stack: "same" });
    const page = costHtml([everyKindOfRow(), same, sampleReport([], { stack: "empty" })]);
    expect(page).toContain(STYLE);
    const lines = page.replace(STYLE, "").replaceAll(/\s+/g, " ").replaceAll(BLOCK, "\n<");
    expectGolden("everything.html", `${lines.trim()}\n`);
  });

  it("escapes names and reasons in HTML", () => {
    const pageOf = (name: string, reason: string, stack: string): string => {
      const samples = [
        { name, type: name, after: "1" },
        { name: "b", unknown: reason },
      ];
      return costHtml([sampleReport(samples, { stack, notCounted: [name] })]);
    };
    const tags = tagsOf(pageOf("a", "b", "c"));
    const text = fc.string({ unit: fc.constantFrom(...Array.from("ab<>&\"'`/=- \n")), maxLength: 20 });
    forAll(text, text, text, (name, reason, stack) => expect(tagsOf(pageOf(name, reason, stack))).toBe(tags));
  });

  it("shows its time and commit", () => {
    const origin = { madeAt: "2026-01-02T03:04:05.678Z", version: "1.2.3", commit: "0123456789abcdef0123" };
    const page = costHtml([sampleReport([]), sampleReport([], { stack: "prod" })], { origin });
    expect(page).toContain("<h1>Monthly cost of my-infra/dev, my-infra/prod</h1>");
    expect(page).toContain('<time datetime="2026-01-02T03:04:05.678Z">2026-01-02 03:04 UTC</time>');
    expect(page).toContain("commit 0123456789ab");
    expect(page).toContain("pulumi-cloudinfra 1.2.3");
    expect(page.replaceAll(/<[^>]*>/g, "")).toMatch(/\+ new, +\n?- deleted, +\n?~ updated, +\n?\+- replaced, /);
    expect(costHtml([sampleReport([])], { origin: { ...origin, commit: undefined } })).not.toContain("commit");
  });

  it("names the organizations of stacks, if they are known", () => {
    const page = costHtml(["acme", "other"].map((pulumiOrganization) => sampleReport([], { pulumiOrganization })));
    expect(page).toContain("<h1>Monthly cost of acme/my-infra/dev, other/my-infra/dev</h1>");
    expect(page).toContain('<h2 id="stack-2-heading">dev <small>of other/my-infra</small></h2>');
  });

  it("shows an exceeded budget before the figures", () => {
    const report = sampleReport([{ name: "link", after: "5" }]);
    const breaches = overBudget(report, { monthlyTotal: decimal("3") });
    const page = costHtml([{ ...report, overBudget: breaches }, report], { overBudget: breaches });
    const words = "over budget: the total would be $5.00/mo, $2.00/mo over the budget of $3.00/mo";
    const text = page.replaceAll("&#43;", "+");
    expect(text.split(words)).toHaveLength(3);
    expect(text.indexOf(words, text.indexOf('id="stack-1"'))).toBeLessThan(text.indexOf('class="figures"'));
  });

  it("1,000 changes: 20 rows, and the rest in one", () => {
    const samples = Array.from({ length: 1_000 }, (_, index) => ({ name: `link-${index}`, after: `${index + 1}` }));
    const page = costHtml([sampleReport(samples)]);
    expect(page).toContain("and 980 more");
    expect(page).toContain("The 20 largest changes");
    expect(page.match(/<rect class="after" x/g)).toHaveLength(20);
    expect(costHtml([sampleReport(samples)], { limit: Infinity }).match(/<th role="rowheader"/g)).toHaveLength(1_001);
  });
});
