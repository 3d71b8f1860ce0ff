/** What a command line ends with. */
export const exitCodes = {
  fine: 0,
  /** An error that has been printed. */
  error: 1,
  wrongUsage: 2,
  /** `cost`: over a budget. Pulumi's own code for what a policy forbids. */
  overBudget: 5,
  /** `rotate --check`: some keys are due. */
  due: 7,
} as const;
