import type { BudgetBreach } from "./json-shape";
import type { CostReport } from "./report";
import type { Direction, PrintOptions } from "./printed-report";

export type Paint = (text: string, direction: Direction) => string;

/** The flags for the look of a report. A format ignores those of the others. */
export interface RenderOptions extends PrintOptions {
  /** Colours a difference of a table: more expensive or cheaper. Default: no colours. */
  readonly paint?: Paint | undefined;
  /** The width of a line in characters. Longer names are shortened, amounts never, and sentences wrap. Default: no limit. */
  readonly width?: number | undefined;
  /** Whether a table is followed by the dimensions of each changed resource. */
  readonly details?: boolean | undefined;
  readonly origin?: PageOrigin | undefined;
  /** The longest Markdown. Default: GitHub's limit for a comment. */
  readonly maxCharacters?: number | undefined;
  /** Exceeded budgets of all stacks together. */
  readonly overBudget?: readonly BudgetBreach[] | undefined;
}

/** The origin of a page, because a page is kept and read later. */
export interface PageOrigin {
  /** ISO 8601. */
  readonly madeAt: string;
  readonly version: string;
  readonly commit?: string | undefined;
}

/** The text of the reports, one for each stack. Ends with a newline. */
export type Renderer = (reports: readonly CostReport[], options?: RenderOptions) => string;
