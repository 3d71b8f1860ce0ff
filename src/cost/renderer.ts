import type { BudgetBreach } from "./budget-breach";
import type { PageOrigin } from "./html";
import type { SchemaVersion } from "./json-report";
import type { CostReport } from "./report";
import type { TableOptions } from "./cost-table";

/** The flags for the look of a report. */
export interface RenderOptions extends TableOptions {
  /** Whether it shows the dimensions of each changed resource. */
  readonly details: boolean;
  /** The version of the JSON. Default: the newest. */
  readonly schemaVersion?: SchemaVersion | undefined;
  /** The origin of a page. */
  readonly origin?: PageOrigin | undefined;
  /** Exceeded budgets of all stacks together. */
  readonly overBudget?: readonly BudgetBreach[] | undefined;
}

/** The text of the reports, one for each stack. Ends with a newline. */
export type Renderer = (reports: readonly CostReport[], options: RenderOptions) => string;
