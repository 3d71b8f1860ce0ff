import { testInBothFronts } from "./in-both-fronts";
import { life } from "./scenarios/life";

// The only suite of the engine that `npm test` runs (see jest.config.js).
testInBothFronts(life);
