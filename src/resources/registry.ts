import { type ResourceKind, newKind } from "../lifecycle/kind/kind";
import type { LocalKind } from "../lifecycle/local/local-kind";
import { costSummary } from "./cost-summary";
import { definitions } from "./definitions";
import { rotationSchedule } from "./rotation-schedule";

export { definitions };

/** All kinds with objects at the API, one for each definition. */
export const kinds: readonly ResourceKind[] = definitions.map((each) => newKind(each, definitions));

/** All kinds without an object at the API. */
export const localKinds: readonly LocalKind[] = [costSummary, rotationSchedule];
