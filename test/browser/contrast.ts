/// <reference lib="dom" />
import type { Page } from "playwright-core";

/** The lowest contrast on a page, as WCAG computes it, and the number of things that it was computed for. */
export interface LeastContrasts {
  readonly texts: number;
  readonly bars: number;
  readonly counted: { readonly texts: number; readonly bars: number };
}

/** Computes the contrast of each element with text, and of each bar, with its background. */
export function leastContrasts(page: Page): Promise<LeastContrasts> {
  return page.evaluate(() => {
    const channels = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour: string): number => {
      const [red, green, blue] = channels(colour).map((value) =>
        value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      ) as [number, number, number];
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one: string, other: string): number => {
      const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
      return (lighter + 0.05) / (darker + 0.05);
    };
    const behind = (element: Element): string => {
      const { backgroundColor } = getComputedStyle(element);
      return channels(backgroundColor)[3] === 0 && element.parentElement
        ? behind(element.parentElement)
        : backgroundColor;
    };
    const hasOwnText = (element: Element): boolean =>
      Array.from(element.childNodes).some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "",
      );
    const texts = Array.from(document.querySelectorAll("body *"))
      .filter((element) => hasOwnText(element) && !["title", "desc"].includes(element.tagName))
      .map((element) => {
        const { color, fill } = getComputedStyle(element);
        return contrast(element.tagName === "text" ? fill : color, behind(element));
      });
    const bars = Array.from(document.querySelectorAll("svg rect"), (element) =>
      contrast(getComputedStyle(element).stroke, behind(element)),
    );
    return { texts: Math.min(...texts), bars: Math.min(...bars), counted: { texts: texts.length, bars: bars.length } };
  });
}
