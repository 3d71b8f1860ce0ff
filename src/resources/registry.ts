import { type ResourceKind, kindOf } from "../lifecycle/kind/kind";
import type { LocalKind } from "../lifecycle/local/local-kind";
import { costSummary } from "./cost-summary";
import { definitions } from "./definitions";
import { rotationSchedule } from "./rotation-schedule";

export { definitions };

/** The kinds of the lifecycle, one for each definition. */
export const kinds: readonly ResourceKind[] = definitions.map((each) => kindOf(each, definitions));

/** Every kind that is in the state only. */
export const localKinds: readonly LocalKind[] = [costSummary, rotationSchedule];
