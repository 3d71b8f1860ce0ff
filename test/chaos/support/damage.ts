import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Damage } from "./schedule";

/** A damaged entry of the journal. Only its file name still tells which object it was for. */
export interface DamagedEntry {
  readonly path: string;
  /** The object's name. */
  readonly name: string;
  /** True if it is still readable, with other contents. Then no code can notice. */
  readonly isFalse: boolean;
}

/**
 * Damages an entry of a journal. Undefined if there is no entry, no id to write into it, or if the entry is still
 * valid.
 */
export function damageEntry(
  folder: string,
  { damage, nth }: Damage,
  { foreignIds, nowMs }: { readonly foreignIds: readonly string[]; readonly nowMs: number },
): DamagedEntry | undefined {
  const paths = entryPaths(folder);
  const path = paths[nth % Math.max(paths.length, 1)];
  if (path === undefined) return undefined;
  const text = readFileSync(path, "utf8");
  const entry = JSON.parse(text) as Readonly<Record<string, unknown>>;
  switch (damage) {
    case "garbage":
      writeFileSync(path, "\u0000\u001b]0;not an entry\u0007{{{");
      break;
    case "half of it":
      writeFileSync(path, text.slice(0, text.length / 2));
      break;
    case "zeros":
      writeFileSync(path, Buffer.alloc(text.length));
      break;
    case "a pipe":
      rmSync(path);
      spawnSync("mkfifo", [path]);
      break;
    case "a bad date":
      writeFileSync(path, JSON.stringify({ ...entry, sentAt: "yesterday" }));
      break;
    case "somebody else's id": {
      const [id] = foreignIds;
      if (id === undefined) return undefined;
      writeFileSync(path, JSON.stringify({ ...entry, id }));
      break;
    }
    case "another machine's of yesterday":
    case "another machine's of tomorrow":
    case "another machine's of now": {
      const date = new Date(nowMs + AWAY_MS[damage]);
      writeFileSync(path, JSON.stringify({ ...entry, sender: { pid: 1, space: "another machine" } }));
      utimesSync(path, date, date);
      return undefined;
    }
  }
  return { path, name: String(entry["name"]), isFalse: damage === "somebody else's id" };
}

const AWAY_MS = {
  "another machine's of yesterday": -86_400_000,
  "another machine's of tomorrow": 86_400_000,
  "another machine's of now": 0,
} as const;

/**
 * The files of the valid entries, oldest first. Names are random, and a seed must give the same run again, so they
 * are not sorted by name.
 */
function entryPaths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith(".json"))
    .map(({ parentPath, name }) => join(parentPath, name));
  const rows = files.flatMap((path) => {
    const order = orderOf(path);
    return order === undefined ? [] : [{ path, order }];
  });
  return rows.sort((a, b) => a.order.localeCompare(b.order)).map(({ path }) => path);
}

/** The sort key of an entry. Undefined if the entry is not valid. */
function orderOf(path: string): string | undefined {
  try {
    const { sentAt, urn, name } = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
    return JSON.stringify([sentAt, urn, name]);
  } catch {
    return undefined;
  }
}
