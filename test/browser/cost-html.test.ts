/// <reference lib="dom" />
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { costHtml } from "../../src/cost/html";
import { findBrowser, HOW_TO_GET_ONE } from "../../tools/browser/find-browser.cjs";
import { everyKindOfRow, sampleReport } from "../cost/sample-reports";
import { folderForSuite } from "../support/suite";
import { leastContrasts } from "./contrast";

type Scheme = "light" | "dark";

const folder = folderForSuite("browser");
const address = pathToFileURL(join(folder, "report.html")).href;

/** Long names and large sums, which are the first not to fit on a phone. */
const wide = sampleReport(
  [
    { name: "a-name-without-an-end-".repeat(8), before: "99999999999999.99", after: "3" },
    { name: "<script>alert(1)</script><img src=x onerror=alert(2)>", after: "1" },
  ],
  { stack: "a-stack-with-quite-a-long-name-".repeat(4) },
);

let browser: Browser;
let complaints: string[];
let requests: string[];

beforeAll(async () => {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(HOW_TO_GET_ONE);
  // Chromium refuses to run its sandbox as root, which containers often are.
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  writeFileSync(join(folder, "report.html"), costHtml([everyKindOfRow(), wide]));
});
beforeEach(() => {
  complaints = [];
  requests = [];
});
afterAll(() => browser.close());

/** The opened report, with its console messages and requests recorded. */
async function open({
  width = 1280,
  scheme = "light",
}: { readonly width?: number; readonly scheme?: Scheme } = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: scheme });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  return page;
}

describe("the HTML report in a browser", () => {
  it("opens without complaints or requests, and shows the totals", async () => {
    const page = await open();
    expect([complaints, requests]).toEqual([[], [address]]);
    expect(await page.title()).toMatch(
      /^Monthly cost of my-infra\/dev: -\$534\.87, -22% and 2 unknown \(at least \$2,425\.88 → at least \$1,891\.01\), /,
    );
    const total = page.locator("#stack-1 tfoot tr");
    expect(await total.innerText()).toMatch(/^total, at least\s+\$2,425\.88\s+\$1,891\.01\s+▼\s-\$534\.87$/);
    expect(await page.locator("#stack-1 dd").first().innerText()).toBe("$2,425.88");
  });

  it("shows markup in names as text", async () => {
    const page = await open();
    expect(await page.getByText("<script>alert(1)</script><img src=x onerror=alert(2)>").count()).toBeGreaterThan(0);
    expect(await page.locator("script, img, iframe, link, [style]").count()).toBe(0);

    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'ran'";
      const image = document.createElement("img");
      const ended = new Promise((resolve) => (image.onload = image.onerror = resolve));
      image.src = "https://example.invalid/pixel.png";
      document.body.append(script, image);
      await ended;
      return document.title;
    });
    expect(ran).not.toBe("ran");
    expect(complaints.filter((text) => text.includes("Content Security Policy"))).toHaveLength(2);
  });

  it.each([320, 768, 1280])("fits into a window of %d pixels", async (width) => {
    const page = await open({ width });
    for (const summary of await page.locator("summary").all()) await summary.click();
    const outside = await page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      const boxes = Array.from(document.querySelectorAll("body *"), (element) => ({
        element,
        box: element.getBoundingClientRect(),
      }));
      const isOutside = ({ element, box }: (typeof boxes)[number]): boolean =>
        !element.closest("thead") && (box.right > width + 0.5 || box.left < -0.5);
      return {
        scrolls: document.documentElement.scrollWidth > width,
        elements: boxes.filter(isOutside).map(({ element }) => `${element.tagName} ${element.textContent}`),
      };
    });
    expect(outside).toEqual({ scrolls: false, elements: [] });
  });

  it.each<Scheme>(["light", "dark"])("has enough contrast for text and bars on a %s system", async (scheme) => {
    const page = await open({ scheme });
    for (const summary of await page.locator("summary").all()) await summary.click();
    const { texts, bars, counted } = await leastContrasts(page);
    expect(counted.texts).toBeGreaterThan(50);
    expect(counted.bars).toBeGreaterThan(8);
    expect(texts).toBeGreaterThanOrEqual(4.5);
    expect(bars).toBeGreaterThanOrEqual(3);
  });

  it("follows a dark screen, and prints light with details open", async () => {
    const brightness = (page: Page): Promise<number> =>
      page.evaluate(() =>
        Number(/\d+/.exec(getComputedStyle(document.querySelector("section")!).backgroundColor)?.[0]),
      );
    const [light, dark] = [await open({ scheme: "light" }), await open({ scheme: "dark" })];
    expect(await brightness(light)).toBe(255);
    expect(await brightness(dark)).toBeLessThan(64);

    await dark.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await brightness(dark)).toBe(255);
    const isSeen = dark
      .locator("details td")
      .first()
      .evaluate((cell) => cell.getBoundingClientRect().height > 0);
    expect(await isSeen).toBe(true);
  });

  it("reads out charts and tables, also on a phone", async () => {
    const page = await open({ width: 320 });
    const chart = page.getByRole("img", { name: "What changes, before and after" }).first();
    expect(await chart.locator("desc").textContent()).toContain("ConnectConnection aws-link: $78.13 → $312.50.");
    expect(await page.getByRole("img", { name: "The stack by dimension, before and after" }).count()).toBe(1);
    const table = page.getByRole("table", { name: "Resources" }).first();
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual([
      "Cost per month",
      "Before",
      "After",
      "Difference",
    ]);
    const row = table.getByRole("row").filter({ hasText: "aws-link" });
    expect(await row.getByRole("rowheader").innerText()).toContain("aws-link");
    expect(await row.getByRole("cell").allInnerTexts()).toEqual([
      expect.stringContaining("$78.13"),
      expect.stringContaining("$312.50"),
      expect.stringContaining("+$234.38"),
    ]);
  });

  it("shows several stacks in one table with links", async () => {
    const page = await open();
    const table = page.getByRole("table", { name: "All stacks" });
    expect(await table.getByRole("row").last().innerText()).toMatch(/^total, at least\s+\$100,000,000,002,425\.87\s/);
    await table.getByRole("link").last().click();
    expect(page.url()).toBe(`${address}#stack-2`);
  });

  it("draws bars in proportion, and none for zero", async () => {
    const page = await open();
    const widths = await page
      .locator("#stack-1 svg.chart")
      .first()
      .locator("rect")
      .evaluateAll((rects) => rects.map((rect) => (rect as SVGRectElement).width.baseVal.value));
    const [officeBefore, awsBefore, awsAfter] = widths as [number, number, number];
    expect(awsAfter / awsBefore).toBeCloseTo(312.5 / 78.125, 1);
    expect(officeBefore / awsAfter).toBeCloseTo(781.25 / 312.5, 1);
  });
});
