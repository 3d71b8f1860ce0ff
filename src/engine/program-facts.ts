import { isRecord } from "../definition/compare-values";

/**
 * Facts that only the program knows about its run. They are in one input, because Pulumi's SDK takes stack traces for
 * each input. Check removes it, so that it does not get into the state.
 */
export interface ProgramFacts {
  readonly isPreview: boolean;
  /**
   * The URN of a dynamic resource, which the engine does not tell the plugin. Check puts it into the state as `__urn`.
   */
  readonly urn?: string | undefined;
  /** True if a cost summary counts the resource. */
  readonly isSummarized?: boolean | undefined;
  /** The stack's organization in Pulumi Cloud. */
  readonly organization?: string | undefined;
  /** The paths of the secrets among a dynamic resource's arguments, because the engine sends their values unmarked. */
  readonly secretPaths?: readonly PropertyPath[] | undefined;
}

/** The path of a value: `["nodeConfig", "labels"]`. */
export type PropertyPath = readonly string[];

/** The facts in an input. Undefined if check has removed them, or if programs of this language do not send them. */
export function programFactsOf(sent: Readonly<Record<string, unknown>>): ProgramFacts | undefined {
  const facts = sent["__program"];
  if (!isRecord(facts)) return undefined;
  const { isPreview, urn, isSummarized, organization, secretPaths } = facts;
  return {
    isPreview: isPreview === true,
    urn: typeof urn === "string" ? urn : undefined,
    isSummarized: isSummarized === true,
    organization: typeof organization === "string" ? organization : undefined,
    secretPaths: Array.isArray(secretPaths) ? secretPaths.filter(Array.isArray) : [],
  };
}
