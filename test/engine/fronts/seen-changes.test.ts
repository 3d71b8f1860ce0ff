import { testInBothFronts } from "./in-both-fronts";
import { seenChanges } from "./scenarios/seen-changes";

// Separate from both-fronts, because an operation that vanishes takes more than ten seconds.
testInBothFronts(seenChanges);
