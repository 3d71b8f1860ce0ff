import { testInBothFronts } from "./in-both-fronts";
import { outsideChanges } from "./scenarios/outside-changes";

// Beside both-fronts, because it has an API whose lists are late.
testInBothFronts(outsideChanges);
