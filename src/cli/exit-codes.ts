/** The exit codes of the commands. */
export const exitCodes = {
  fine: 0,
  /** An error, which is already printed. */
  error: 1,
  wrongUsage: 2,
  /** `cost`: over a budget. Pulumi uses the same code for policies. */
  overBudget: 5,
  /** `rotate --check`: some keys are due. */
  due: 7,
} as const;
