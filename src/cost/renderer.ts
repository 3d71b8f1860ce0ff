import type { CostReport } from "./report";
import type { TableOptions } from "./table";

/** What the flags say of how a report looks. */
export interface RenderOptions extends TableOptions {
  /** Whether the dimensions of each changed resource are shown. */
  readonly details: boolean;
}

/** The text of the reports, one for each stack. Ends with a newline. */
export type Renderer = (reports: readonly CostReport[], options: RenderOptions) => string;
