/**
 * The keys of what stands in a state, or travels to the lifecycle, beside the user's own inputs. The engine's display leaves out
 * keys that begin with two underscores. They stay for ever: old states have them, whichever front reads them.
 */
export const HIDDEN_INPUTS: readonly string[] = [
  "__provider",
  "__urn",
  "__dryRun",
  // The paths of a dynamic resource's secret arguments: the engine sends their values unmarked. Of this run only.
  "__secrets",
  "__retainOnDelete",
  "__generation",
  "__autoName",
  "__adopted",
  "__halfMade",
  "__foundAs",
  "__ownParts",
  "__retired",
  "__timeouts",
  "__unpriced",
  "__costBefore",
  "__registered",
  "__run",
  // The base URL of the last run, among a dynamic resource's inputs: the engine tells only other plugins when settings change.
  "__baseUrl",
  // Whose stack it is in Pulumi Cloud: the program says it, and it does not get into the state.
  "__organization",
  // Whether a cost summary counts it: of this run only.
  "__summarized",
];
