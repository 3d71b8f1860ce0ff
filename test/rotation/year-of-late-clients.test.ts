import type * as Retirement from "../../src/lifecycle/credential/retirement";
import { MemoryJournal } from "../support/memory-journal";
import { World } from "../support/world";
import { LateClients, type Mishap } from "./late-clients";
import { DAY_MS } from "./support";

let mockIsQuietIgnored = false;
jest.mock("../../src/lifecycle/credential/retirement", () => {
  const actual = jest.requireActual<typeof Retirement>("../../src/lifecycle/credential/retirement");
  const retirement: typeof actual.retirement = (...given) => {
    const verdict = actual.retirement(...given);
    return mockIsQuietIgnored ? { ...verdict, isDue: true } : verdict;
  };
  return { ...actual, retirement };
});

const ROTATIONS = 12;
const LAST_NIGHTS = 16;
/** After this many rotations, the rotating run ends like this. The run of the next night continues. */
const MISHAPS: readonly (readonly [number, Mishap])[] = [
  [1, "killed before the key"],
  [3, "killed after the key"],
  [5, "not saved"],
  [7, "two at once"],
  [9, "killed at a deletion"],
];

/**
 * After this many rotations, nobody may read the audit log until the next one. So the old key waits as long as it can.
 */
const LOG_CLOSED_AFTER = 11;
const closeLog = (): Promise<void> => world.fault({ path: "/v1/audit_logs", status: 403, times: 1_000_000 });

const world = World.forSuite();
const journal = MemoryJournal.forSuite();
let clients: LateClients;
beforeEach(() => {
  clients = new LateClients(world, journal);
});
afterEach(() => clients.bury());

/**
 * A run each night for twelve rotations, and for the time that an old key may wait. The audit log is three hours late.
 */
async function aYear(isOver = (): boolean => false): Promise<void> {
  await world.lag({ audit: "3h" });
  const mishaps = new Map(MISHAPS);
  await clients.run();
  for (let after = 0; after < LAST_NIGHTS && !isOver(); after += clients.rotations < ROTATIONS ? 0 : 1) {
    await clients.day();
    const mishap = mishaps.get(clients.rotations);
    const isDue = Date.parse(String(clients.stack.stateOf("ci").outs["rotatesAt"])) <= world.clock.now();
    const happens = mishap !== undefined && (isDue || mishap === "killed at a deletion");
    const { rotations } = clients;
    if (await clients.run(happens ? mishap : undefined)) mishaps.delete(rotations);
    if (clients.rotations !== rotations)
      await (clients.rotations === LOG_CLOSED_AFTER ? closeLog() : world.clearFaults());
  }
  if (!isOver()) expect([...mishaps.values()]).toEqual([]);
}

it("a year of late clients refuses no request", async () => {
  const begin = world.clock.now();
  await aYear();
  expect(world.clock.now() - begin).toBeGreaterThan(365 * DAY_MS);
  expect(clients.refused).toEqual([]);
  expect(clients.overdue).toEqual([]);
  expect(clients.mostAlive).toBeLessThanOrEqual(3);
  expect(await clients.unnamed()).toEqual([]);
  expect(await clients.alive()).toEqual([clients.stack.stateOf("ci").id]);
});

it("refuses requests without the quiet period", async () => {
  mockIsQuietIgnored = true;
  await aYear(() => clients.refused.length > 0);
  expect(clients.refused.length).toBeGreaterThan(0);
});
