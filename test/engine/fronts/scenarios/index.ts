import type { Scenario } from "../scenario";
import { adoption } from "./adoption";
import { changesInPart } from "./changes-in-part";
import { failures, kills } from "./failures";
import { life } from "./life";
import { options } from "./options";
import { refusals } from "./refusals";

/** Everything that both fronts promise, as programs and the steps over them. */
export const scenarios: readonly Scenario[] = [life, refusals, adoption, failures, changesInPart, kills, options];
