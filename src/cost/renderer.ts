import type { BudgetBreach } from "./budget-breach";
import type { PageOrigin } from "./html";
import type { SchemaVersion } from "./json-report";
import type { CostReport } from "./report";
import type { TableOptions } from "./table";

/** What the flags say of how a report looks. */
export interface RenderOptions extends TableOptions {
  /** Whether the dimensions of each changed resource are shown. */
  readonly details: boolean;
  /** Of JSON; default: the newest. */
  readonly schemaVersion?: SchemaVersion | undefined;
  /** What a page says of itself. */
  readonly origin?: PageOrigin | undefined;
  /** What exceeds a budget of several stacks together. */
  readonly overBudget?: readonly BudgetBreach[] | undefined;
}

/** The text of the reports, one for each stack. Ends with a newline. */
export type Renderer = (reports: readonly CostReport[], options: RenderOptions) => string;
