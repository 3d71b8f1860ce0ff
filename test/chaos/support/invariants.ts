import { isSameId } from "../../../src/definition/same-id";
import type { JournalEntry } from "../../../src/journal/entry";
import { kinds } from "../../../src/resources/registry";
import { snakeCased } from "../../kinds/derived";
import { urnOf } from "../../support/lifecycle";
import type { KeptResource } from "../../support/mini-state";
import { partsOtherwise } from "./claims";
import type { DamagedEntry } from "./damage";
import { notGivenBack, textOf } from "./found";
import { isAtTheApi, type Neighbours } from "./neighbours";
import { versionOf, withDependencies } from "./program";
import type { Programs } from "./schedule";
import type { WireObject } from "../../support/simulator-client";
import type { Service } from "./service";
import { differences, membersOf } from "./wire-shape";

/** The result of a schedule. */
export interface Ending {
  readonly service: Service;
  readonly programs: Programs;
  readonly neighbours: Neighbours;
  readonly state: readonly KeptResource[];
  /** Ids that have ever been in the state. */
  readonly everKept: ReadonlySet<string>;
  /** Everything that people were shown. */
  readonly messages: string;
  /** Everything that was left on disk. */
  readonly written: string;
  /** The open entries of the journal. */
  readonly open: readonly JournalEntry[];
  /** Damaged entries of the journal, for objects that nobody can know any more. */
  readonly damaged: readonly DamagedEntry[];
  /** The names of objects that the person has said are not theirs. */
  readonly forgotten: ReadonlySet<string>;
  /** True if lists have shown outdated contents. */
  readonly areListsLate: boolean;
  /** Objects that exist because the network delivered a request twice. */
  readonly networkTwins: ReadonlySet<string>;
  /** Secrets that must not occur in these texts. */
  readonly secrets: readonly string[];
  /** Discovered objects that a run did not restore after the program no longer declared them. */
  readonly notGivenBack: readonly string[];
  /** The errors of the last run without faults. */
  readonly stillFailing: readonly string[];
  /** True if the stack or the provider was renamed. */
  readonly hasOtherNames: boolean;
  /** Forbidden actions of a run, in words, whatever its result. */
  readonly wrongdoings: readonly string[];
  /** Changes that a run sent although nothing was left to do. */
  readonly idleChanges: readonly string[];
}

/** The broken invariants at the end of a schedule, in words. Empty if nothing was lost. */
export async function violationsOf(ending: Ending): Promise<string[]> {
  const wasReported = ({ id }: JournalEntry): boolean => ending.messages.includes(`(${String(id)}, found with `);
  return [
    ...ending.stillFailing.map((text) => `a run without faults still fails: ${text}`),
    ...ending.wrongdoings,
    ...ending.idleChanges.map((change) => `a run with nothing left to do sent ${change}`),
    ...unfinished(ending),
    ...foreignTouched(ending),
    ...ending.notGivenBack,
    ...notGivenBack({ ...ending, found: ending.neighbours.found, open: ending.open.filter(wasReported) }),
    ...strays(ending),
    ...twins(ending),
    ...leaks(ending),
    ...(await disagreements(ending)),
  ];
}

function unfinished({ state, open, damaged, hasOtherNames }: Ending): string[] {
  // No code can know the object of a changed entry.
  const isDamaged = ({ key }: JournalEntry): boolean => damaged.some(({ path }) => path.includes(key));
  // An entry of an object stays for as long as the object does. Without one, it stays if the creation may still have an
  // effect, or if it was made under another name.
  const isOfState = ({ id, urn, isSuperseded }: JournalEntry): boolean =>
    state.some((kept) =>
      id === undefined ? !isSuperseded && !hasOtherNames && urn === urnOf(kept.type, kept.name) : isSameId(kept.id, id),
    );
  const found = open
    .filter((entry) => !isDamaged(entry) && isOfState(entry))
    .map(({ name, urn }) => `the journal still has a creation of ${name} open, and the state has ${urn}`);
  const halves = state
    .filter(({ isReplaced, hasInitError }) => isReplaced || hasInitError)
    .map(
      ({ name, id, isReplaced }) => `${name} (${id}) is still ${isReplaced ? "to be deleted" : "half made"} in state`,
    );
  return [...found, ...halves];
}

/**
 * Objects of other people that have changed by a single byte. A run may change an object that the program adopts, and
 * end before the engine saves it. Then a row names the object, and it must still exist.
 */
function foreignTouched({ service, neighbours, everKept, messages }: Ending): string[] {
  const held = service.held();
  return Array.from(neighbours.foreign).flatMap(([id, text]) => {
    if (neighbours.adoptable.has(id) && everKept.has(id)) return [];
    const now = held.get(id);
    if (!now) return [`somebody else's ${id} is gone`];
    if (neighbours.adoptable.has(id) && messages.includes(`adopts ${id}; then changes`)) return [];
    return textOf(now.object) === text ? [] : [`somebody else's ${id} was ${text} and is ${textOf(now.object)}`];
  });
}

/** The objects that the programs have made, by id. */
function own({ service, neighbours, everKept }: Ending): Map<string, WireObject> {
  const others = (id: string): boolean =>
    neighbours.found.texts.has(id) || (neighbours.foreign.has(id) && !everKept.has(id));
  const isDeployer = ({ name }: WireObject): boolean => name === "deployer";
  const entries = Array.from(service.held(), ([id, { object }]): [string, WireObject] => [id, object]);
  return new Map(entries.filter(([id, object]) => !others(id) && !isDeployer(object) && object["managed"] !== true));
}

/** Objects at the API that are neither in the state nor named, and resources of the state that are not at the API. */
function strays(ending: Ending): string[] {
  const made = own(ending);
  const kept = new Set(ending.state.map(({ id }) => id));
  return [
    ...Array.from(made)
      .filter(([id, object]) => !kept.has(id) && !isNamed(ending, object) && !isUnknowable(ending, object))
      .map(([id, { name }]) => `${name} (${id}) is at the API, not in state, and no message names it`),
    ...ending.state
      .filter(({ type, id }) => isAtTheApi(type) && !made.has(id) && !ending.service.held().has(id))
      .map(({ name, id }) => `${name} (${id}) is in state and not at the API`),
  ];
}

/**
 * True if a message names the object: by its id, or by its name if the id is unknown. Leaving it to another state does
 * not count, because there is none, and neither does saying that it no longer exists.
 */
function isNamed({ messages }: Ending, { id, name }: WireObject): boolean {
  const lines = messages.split("\n").filter((line) => !/This run left it alone|it leaves the state/.test(line));
  return lines.some((line) => line.includes(id) || line.includes(JSON.stringify(name)));
}

/**
 * True if no run can know of the object. The network has delivered its creation twice, and the answer was to the
 * second. Or its entry of the journal was damaged, and a message names the file. Or a person has said that it is not
 * theirs.
 */
function isUnknowable({ messages, damaged, forgotten, networkTwins }: Ending, { id, name }: WireObject): boolean {
  if (networkTwins.has(id) || forgotten.has(name)) return true;
  return damaged.some((entry) => entry.name === name && (entry.isFalse || messages.includes(entry.path)));
}

/** Reports objects that exist twice without a message that names one. */
function twins(ending: Ending): string[] {
  const kept = new Set(ending.state.map(({ id }) => id));
  const counted = Array.from(own(ending).values()).filter(
    (object) => kept.has(object.id) || !(isNamed(ending, object) || isUnknowable(ending, object)),
  );
  const names = counted.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `${name} is there twice`,
  );
}

function leaks({ messages, written, secrets }: Ending): string[] {
  return [
    ...secrets.filter((secret) => messages.includes(secret)).map(() => "a secret stands in a message"),
    ...secrets.filter((secret) => written.includes(secret)).map(() => "a secret stands in a file"),
  ];
}

/** Checks that state, API and program agree on each resource, and that each secret in the state signs in. */
async function disagreements(ending: Ending): Promise<string[]> {
  const { service, programs, neighbours, state } = ending;
  const declared = versionOf(programs, programs.versions.length - 1, neighbours.surroundings).filter(
    ({ isThere }) => isThere,
  );
  const found: string[] = [];
  const byName = new Map(state.map((kept) => [kept.name, kept]));
  for (const { name } of state.filter((kept) => !declared.some((one) => one.name === kept.name))) {
    found.push(`${name} is in state, and no longer in the program`);
  }
  for (const one of declared) {
    const { type, name } = one;
    if (!isAtTheApi(type)) continue; // in the state only
    const kept = byName.get(name);
    const path = kept && service.held().get(kept.id)?.path;
    if (!kept || path === undefined) {
      found.push(`${name} is in the program, and not in state or not at the API`);
      continue;
    }
    const shown = await service.call("GET", path);
    if (one.dependsOn.some((other) => !byName.has(other))) continue; // reported by itself
    const args = withDependencies(one, (other) => byName.get(other)!);
    const expected = membersOf(type, args, neighbours.surroundings.ground);
    const add = (subject: string, list: readonly string[]): void =>
      void found.push(...list.map((text) => `${name}: ${subject} ${text}`));
    add("by the program,", [...differences(expected, shown), ...partsOtherwise(service, kept.id, args)]);
    const known = snakeCased(kept.outs) as WireObject;
    // A refresh that reads late lists may show the time of an earlier change.
    const notLate = ending.areListsLate ? { ...known, updated_at: shown["updated_at"] } : known;
    // A refresh need not wait for a change that an interrupted run has begun.
    const isUpdating = known["status"] === "updating";
    add("by the state,", differences(isUpdating ? { ...notLate, status: shown["status"] } : notLate, shown));
    // The operation of an earlier change may never end. With the program's values, nothing is then left to do.
    const ends = ["ready", "active", undefined, ...(isUpdating ? ["updating"] : [])];
    if (!ends.includes(shown["status"] as string | undefined)) found.push(`${name} is ${String(shown["status"])}`);
    found.push(...(await secretOf(ending, kept)));
  }
  return found;
}

async function secretOf({ service }: Ending, { name, type, id, outs }: KeptResource): Promise<string[]> {
  const { credential } = kinds.find((kind) => kind.type === type) ?? {};
  if (credential === undefined) return [];
  const key = outs[credential.secret];
  if (typeof key !== "string") return [`${name} has no secret in state`];
  return (await service.signIn(key)) === id ? [] : [`the secret of ${name} in state does not open the API as ${id}`];
}
