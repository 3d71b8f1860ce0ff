import { comparisonGoals } from "./compare/goals.mjs";
import { comparisonTables } from "./compare/tables.mjs";
import { landingZoneGoals } from "./landing-zone/goals.mjs";
import { landingZoneTables } from "./landing-zone/tables.mjs";
import { memoryGoals, memoryTables } from "./memory/tables.mjs";
import { profileTables } from "./profile/tables.mjs";
import { quoteGoals, quoteTables } from "./quotes/tables.mjs";
import { simulatorGoals, simulatorTables } from "./simulator/tables.mjs";
import { startGoals, startTables } from "./start/tables.mjs";

/** For each bench, by the name that its results bear: its tables, and its goals if it has any. */
export const renderers = {
  compare: { tables: comparisonTables, goals: comparisonGoals },
  "landing-zone": { tables: landingZoneTables, goals: landingZoneGoals },
  start: { tables: startTables, goals: startGoals },
  quotes: { tables: quoteTables, goals: quoteGoals },
  simulator: { tables: simulatorTables, goals: simulatorGoals },
  memory: { tables: memoryTables, goals: memoryGoals },
  profile: { tables: profileTables },
};
