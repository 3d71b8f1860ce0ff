import "./process/node-version";
export * from "./resources/classes";
export type {
  ApiKeyPermission,
  ApiKeyPermissionArgs,
  ApiKeyPermissionLevel,
  ApiKeyResourceType,
} from "./resources/api-key-permission";
export { CostSummary, type CostBudgetArgs, type CostSummaryArgs, type CountedCost } from "./resources/cost-summary";
export type { Cost, UsageDimension } from "./cost/cost";
export * from "./functions/lookups";
// The compiler writes these into the declarations of a program that exports a function.
export type { ByIdOrName, LookupArgs, OutputFormArgs } from "./functions/lookup";
export type { SharedArgs } from "./functions/lookups/filters";
export type { Field } from "./definition/types";
export type { ResourceClass } from "./program/resource-types";
export {
  RotatingApiKey,
  type MovedInKeyArgs,
  type RotatingApiKeyArgs,
  type RotatingKey,
} from "./resources/rotating-api-key";
