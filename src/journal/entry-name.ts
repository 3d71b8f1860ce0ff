import { createHmac } from "node:crypto";
import { SECRET_INPUT } from "../text/shown-text";
import type { JournalEntry } from "./entry";

type NameInEntry = Pick<JournalEntry, "name" | "nameHash">;

/** The object's name as an entry keeps it. */
export function nameInEntry(token: string, name: string, isSecret: boolean): NameInEntry {
  return isSecret ? { nameHash: hashOf(token, name) } : { name };
}

/** Whether an entry's object has this name. */
export function isNamed({ token, name, nameHash }: NameInEntry & Pick<JournalEntry, "token">, other: unknown): boolean {
  return nameHash === undefined ? other === name : typeof other === "string" && hashOf(token, other) === nameHash;
}

/** The name for people. */
export function shownName({ name }: NameInEntry): string {
  return name === undefined ? SECRET_INPUT : JSON.stringify(name);
}

function hashOf(token: string, name: string): string {
  return createHmac("sha256", token).update(name).digest("hex");
}
