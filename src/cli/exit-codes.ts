/** The exit codes of the commands. The help of each command lists its own. */
export const exitCodes = {
  fine: 0,
  /** An error, which is already printed. */
  error: 1,
  wrongUsage: 2,
  /** `cost`: over a budget. Pulumi uses the same code for policies. */
  overBudget: 5,
  /** `rotate --check`: some keys are due. */
  due: 7,
  /** `permissions --check`: the key lacks some. */
  lacking: 8,
  /** `rotate --check --wait-quiet`: the time is over, and some replaced keys still wait. */
  notQuiet: 9,
} as const;
