import { comparisonGoals } from "./compare/goals.mjs";
import { comparisonTables } from "./compare/tables.mjs";
import { landingZoneGoals } from "./landing-zone/goals.mjs";
import { landingZoneTables } from "./landing-zone/tables.mjs";
import { startGoals, startTables } from "./start/tables.mjs";

/** For each bench, by the name in its results: its tables and its goals. */
export const renderers = {
  compare: { tables: comparisonTables, goals: comparisonGoals },
  "landing-zone": { tables: landingZoneTables, goals: landingZoneGoals },
  start: { tables: startTables, goals: startGoals },
};
