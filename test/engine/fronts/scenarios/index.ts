import type { Scenario } from "../scenario";
import { adoption } from "./adoption";
import { brokenKey } from "./broken-key";
import { partialChanges } from "./partial-changes";
import { cleanUp } from "./clean-up";
import { costs } from "./costs";
import { failures, kills, limitedAdvice } from "./failures";
import { functions } from "./functions";
import { keptObjects } from "./kept-objects";
import { lateClient } from "./late-client";
import { oneOwner } from "./one-owner";
import { options } from "./options";
import { permissions } from "./permissions";
import { refusals } from "./refusals";
import { rotatingPair } from "./rotating-pair";
import { settings } from "./settings";
import { wrongArguments } from "./wrong-arguments";

/** What both fronts promise beside the `life` of each kind, as programs and the steps over them. */
export const scenarios: readonly Scenario[] = [
  adoption,
  brokenKey,
  partialChanges,
  cleanUp,
  costs,
  failures,
  functions,
  keptObjects,
  kills,
  lateClient,
  limitedAdvice,
  oneOwner,
  options,
  permissions,
  refusals,
  rotatingPair,
  settings,
  wrongArguments,
];
