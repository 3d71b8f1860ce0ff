import { isRecord } from "../definition/values";

/**
 * The keys of what stands in a state, or travels to the lifecycle, beside the user's own inputs. The engine's display leaves out
 * keys that begin with two underscores. They stay for ever: old states have them, whichever front reads them.
 */
export const HIDDEN_INPUTS: readonly string[] = [
  "__provider",
  "__urn",
  // Of this run only: see ProgramFacts.
  "__program",
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
];

/**
 * What only the program knows of its run. One input has it all, because Pulumi's SDK takes stack traces for each input. Check takes it out,
 * so it does not get into the state.
 */
export interface ProgramFacts {
  readonly isPreview: boolean;
  /** Whether a cost summary counts the resource. */
  readonly isSummarized?: boolean | undefined;
  /** Whose stack it is in Pulumi Cloud. */
  readonly organization?: string | undefined;
  /** Where a dynamic resource's arguments have secrets: the engine sends their values unmarked. */
  readonly secretPaths?: readonly Path[] | undefined;
}

/** Leads to a value: `["nodeConfig", "labels"]`. */
export type Path = readonly string[];

/** Undefined if check has taken them out, or if the program is in a language whose programs send none. */
export function programFactsOf(sent: Readonly<Record<string, unknown>>): ProgramFacts | undefined {
  const facts = sent["__program"];
  if (!isRecord(facts)) return undefined;
  const { isPreview, isSummarized, organization, secretPaths } = facts;
  return {
    isPreview: isPreview === true,
    isSummarized: isSummarized === true,
    organization: typeof organization === "string" ? organization : undefined,
    secretPaths: Array.isArray(secretPaths) ? secretPaths.filter(Array.isArray) : [],
  };
}
