import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { moved, today } from "../../../tools/states/dates.cjs";
import { Session, type SessionOptions } from "./session";
import type { ObjectsByCollection } from "./simulated-api";

const FOLDER = join(__dirname, "..", "..", "fixtures", "states");
/** The releases that have a recorded state. */
export const versions: readonly string[] = readdirSync(FOLDER);
/** The day on which every recording seems to be made, and its API (tools/states/record.mjs). */
const RECORDED = Date.parse("2026-01-01T00:00:00Z");
const RECORDED_URL = "https://api.invalid";

/** The state that a version wrote, and the objects at the API at that time. */
export interface Recording {
  /** The program that the state came from. */
  readonly program: string;
  /** The same program with other tags everywhere. */
  readonly changed: string;
  readonly objects: ObjectsByCollection;
  readonly state: object;
}

const DAY_MS = 86_400_000;

/** The recording, with its dates moved to yesterday: no object has changed in the future. */
export function recorded(version: string, scenario: string): Recording {
  const text = readFileSync(join(FOLDER, version, `${scenario}.json`), "utf8");
  return JSON.parse(moved(text, RECORDED, today() - DAY_MS)) as Recording;
}

/** A stack with a state that a version wrote, and an API with the objects in it. */
export async function resume({ program, objects, state }: Recording, options?: SessionOptions): Promise<Session> {
  const session = await Session.start(program, options);
  for (const [collection, held] of Object.entries(objects)) await session.api.place(collection, ...held);
  const here = JSON.stringify(state).replaceAll(RECORDED_URL, session.api.simulator.url);
  await session.stack.importState(JSON.parse(here) as object);
  return session;
}
