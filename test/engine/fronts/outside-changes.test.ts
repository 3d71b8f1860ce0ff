import { testInBothFronts } from "./in-both-fronts";
import { outsideChanges } from "./scenarios/outside-changes";

// Separate from both-fronts, because its API has late lists.
testInBothFronts(outsideChanges);
