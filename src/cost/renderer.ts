import type { BudgetBreach } from "./cost-document";
import type { CostReport } from "./report";
import type { Direction, PrintOptions } from "./printed-report";

export type Paint = (text: string, direction: Direction) => string;

/** Options for the look of a report. Each format ignores those of other formats. */
export interface RenderOptions extends PrintOptions {
  /** Colours a difference in a table by its direction. Default: no colours. */
  readonly paint?: Paint | undefined;
  /**
   * The width of a line in characters. Names are shortened and sentences wrap, but amounts are never cut. Default: no
   * limit.
   */
  readonly width?: number | undefined;
  /** True to add the dimensions of each changed resource after a table. */
  readonly details?: boolean | undefined;
  readonly origin?: PageOrigin | undefined;
  /** Exceeded budgets of all stacks together. */
  readonly overBudget?: readonly BudgetBreach[] | undefined;
}

/** The origin of a page, for pages that are read later. */
export interface PageOrigin {
  /** ISO 8601. */
  readonly madeAt: string;
  readonly version: string;
  readonly commit?: string | undefined;
}

/** The text of the reports, one for each stack. Ends with a newline. */
export type Renderer = (reports: readonly CostReport[], options?: RenderOptions) => string;
