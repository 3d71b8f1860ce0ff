import fc from "fast-check";
import { costHtml } from "../../src/cost/html";
import { STYLE } from "../../src/cost/html-style";
import { expectGolden } from "./golden";
import { everyKindOfRow, sampleReport } from "./sample-reports";

/** The tags of a page, without their attributes' values. */
const tagsOf = (page: string): string =>
  page
    .replaceAll(/"[^"]*"/g, '""')
    .match(/<[^>]*>/g)!
    .join("\n");

// Most of what the page promises is tried in a browser: test/browser.
describe("a report as HTML", () => {
  it("when there is everything that a report can say, it looks as it is known to", () => {
    expectGolden("everything.html", costHtml([everyKindOfRow()]));
  });

  it("when nothing changes, and where there is nothing at all, it looks as it is known to", () => {
    const same = sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }]);
    const page = costHtml([same, sampleReport([], { stack: "empty" })]);
    expectGolden("nothing.html", page.replace(STYLE, ""));
  });

  it("whatever names, reasons and stacks are, the page has the same tags", () => {
    const pageOf = (name: string, reason: string, stack: string): string =>
      costHtml([
        sampleReport(
          [
            { name, type: name, after: "1" },
            { name: "b", unknown: reason },
          ],
          { stack, notCounted: [name] },
        ),
      ]);
    const tags = tagsOf(pageOf("a", "b", "c"));
    const text = fc.string({ unit: fc.constantFrom(...Array.from("ab<>&\"'`/=- \n")), maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, (name, reason, stack) => expect(tagsOf(pageOf(name, reason, stack))).toBe(tags)),
    );
  });

  it("when 1,000 resources change, 20 have rows and bars, and one row has the others", () => {
    const samples = Array.from({ length: 1_000 }, (_, index) => ({ name: `link-${index}`, after: `${index + 1}` }));
    const page = costHtml([sampleReport(samples)]);
    expect(page).toContain("and 980 more");
    expect(page).toContain("The 20 largest changes");
    expect(page.match(/<rect class="after" x/g)).toHaveLength(20);
    expect(costHtml([sampleReport(samples)], { limit: Infinity }).match(/<th role="rowheader"/g)).toHaveLength(1_001);
  });
});
