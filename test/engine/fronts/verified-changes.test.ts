import { testInBothFronts } from "./in-both-fronts";
import { verifiedChanges } from "./scenarios/verified-changes";

// Separate from both-fronts, because an operation that vanishes takes more than ten seconds.
testInBothFronts(verifiedChanges);
