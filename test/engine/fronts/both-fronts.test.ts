import { testInBothFronts } from "./in-both-fronts";
import { scenarios } from "./scenarios";

scenarios.forEach(testInBothFronts);
