import { quotaWords, unshownQuotas } from "../../src/definition/quotas";
import { outputsOf } from "../../src/lifecycle/kind/kind";
import { API_KEY_RESOURCE_TYPE } from "../../src/resources/api-key-permission";
import { definitions, kinds } from "../../src/resources/registry";
import type { Noun } from "../../src/simulator/nouns/noun";
import { nounsOf } from "../../src/simulator/nouns/noun-registry";
import { collectionOf, World } from "../support/world";
import { anotherOf, descriptorOf, harmless, nounAt } from ".";
import { bodyOf, changesOf, expectEqual, madeKinds, madeRaw, parentOf, shownBy, usedQuotas } from "./support/claims";

const world = World.forSuite();
const nirvana = World.forSuite("nirvana");

const HOUR_MS = 3_600_000;

it.each(kinds)("derives the noun of $type from its type name", ({ type, noun }) => {
  const words = (text: string): string[] => text.toLowerCase().split(" ").sort();
  expect(words(noun)).toEqual(words(type.replaceAll(/(?<=.)[A-Z]/g, " $&")));
});

it.each(definitions)("describes the permission for $type with the kind's noun", ({ type, nouns }) => {
  const own = type.replaceAll(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
  // A kind without a permission of its own needs that of its parent.
  const { description = nouns } = API_KEY_RESOURCE_TYPE.described.find(({ value }) => value === own) ?? {};
  const missing = nouns.split(" ").filter((word) => !description.toLowerCase().includes(word.toLowerCase()));
  expectEqual(`${own}: "${description}" lacks`, missing, []);
});

it("gives quotas in GB the unit in their name", () => {
  const isInGb = (quota: string): boolean => /^storage\.|_gb$/.test(quota);
  const faults = Object.entries(quotaWords).filter(([quota, words]) => isInGb(quota) !== words.endsWith("(GB)"));
  expect(faults).toEqual([]);
});

it("every quota of the API has words", async () => {
  const own = Object.keys(quotaWords).sort();
  const isShown = (hidden: readonly string[]) => (quota: string) => !hidden.includes(quota);
  expect(own.filter(isShown(unshownQuotas.spec))).toEqual(Object.keys(await usedQuotas(world)).sort());
  expect(own.filter(isShown(unshownQuotas.nirvana))).toEqual(Object.keys(await usedQuotas(nirvana)).sort());
});

it.each(madeKinds)("accepts the arguments of %s again two days later", async (type, kind) => {
  const body = await bodyOf(world, kind, { given: descriptorOf(type).others ?? {}, afterMs: 48 * HOUR_MS });
  await expect(world.api("POST", collectionOf(type, world.simulator), body)).resolves.toBeDefined();
});

it.each(kinds)("refuses to manage $type objects that the API cannot change", async (kind) => {
  const { type, outputs } = kind;
  const faults: string[] = [];
  for (const name of Object.keys(outputs).filter((each) => outputs[each]?.type.kind === "boolean")) {
    for (const value of [true, false]) {
      const shown = await shownBy(world, type);
      const { collection } = descriptorOf(type);
      const [stored] = (await world.state())[collection]!.filter(({ id }) => id === shown["id"]);
      await world.place(collection, { ...stored, [name]: value });
      const at = `${collectionOf(type, world.simulator)}/${String(shown["id"])}`;
      const answer = await world.api("PATCH", at, harmless(type, "new")).catch(String);
      const isChanged = typeof answer !== "string";
      const outs = outputsOf(kind, {}, await world.api("GET", at), world.clock.now());
      const isManaged = kind.refuse?.(outs) === undefined;
      if (isChanged !== isManaged)
        faults.push(`${type} with ${name} ${value}: the API ${isChanged ? "changes it" : "refuses"}, so does refuse`);
      if (!isManaged && kind.refuseDeletion?.(outs) !== undefined)
        faults.push(`${type} with ${name} ${value}: refuse says so already, so refuseDeletion must not`);
      await world.reset();
    }
  }
  expect(faults).toEqual([]);
});

// A new node begins with an empty volume, so a pool has no data. Claims and volumes have the data of a user.
it.each(madeKinds)("warns of data loss when replacing %s if it has data", (type, kind, { path }) => {
  const quotas = kind.quotas?.(world.args(type), () => undefined) ?? {};
  const takesStorage = Object.entries(quotas).some(([quota, amount]) => quota.startsWith("storage.") && amount > 0);
  const inside = nounsOf("spec").filter(({ parent }) => parent?.key === nounAt(path)?.key);
  const hasData = takesStorage || inside.some(({ stored }) => "size" in stored.shape);
  const verdict = (names: boolean): string => (names ? "says replacementLoss" : "has no replacementLoss");
  expectEqual(type, verdict(kind.replacementLoss !== undefined), verdict(hasData));
});

// Objects inside one parent must have different names: the nodes of two pools are in one cluster.
it.each(madeKinds)("names of %s are unique if its contents need that", async (type, kind, definition) => {
  const { inputs, path } = definition;
  const isKind = (noun: Noun): boolean => definitions.some((each) => nounAt(each.path)?.key === noun.key);
  const inside = nounsOf("spec").filter((noun) => noun.parent?.key === nounAt(path)?.key && !isKind(noun));
  const body = await bodyOf(world, kind);
  for (let count = 0; count < 2; count += 1) await madeRaw(world, type, body).catch(() => undefined);
  const state = await world.state();
  const names = inside.flatMap(({ key }) => state[key] ?? []).map(({ name }) => name);
  const after = names.filter((name) => name.includes(body["name"] as string));
  const isNeeded = parentOf(definition) !== undefined && new Set(after).size < after.length;
  const verdict = (needed: boolean): string => (needed ? 'unique: "needed"' : "not unique, or enforced");
  expectEqual(type, verdict(inputs["name"]?.unique === "needed"), verdict(isNeeded));
});

const withCredential = madeKinds.filter(([, { credential }]) => credential);

describe.each(withCredential)("a client that signs in with a %s", (type, kind, { inputs }) => {
  const { isAccepted, secret, endsAt, reach, lockOut } = kind.credential!;
  const dates = Object.keys(inputs).filter((name) => inputs[name]?.type.kind === "instant");
  const cases = [{}, ...dates.map((name) => ({ [name]: anotherOf(type, name) }))];

  it.each(cases)("predicts when a new key is accepted: %j", async (given) => {
    const { id, outs } = await world.create(type, given);
    const end = Date.parse(String(outs[endsAt]));
    const looks: [string, boolean][] = [];
    for (const time of [world.clock.now(), world.clock.now() + 30 * 24 * HOUR_MS, end - 1000, end]) {
      world.clock.advance(time - world.clock.now());
      const wire = await world.api("GET", `${collectionOf(type, world.simulator)}/${id}`);
      const now = outputsOf(kind, outs, wire, world.clock.now());
      looks.push([new Date(time).toISOString(), isAccepted(now)]);
      expect([...looks.at(-1)!]).toEqual([looks.at(-1)![0], (await world.signIn(outs[secret])) === 200]);
    }
    expect(looks.slice(-2).map(([, accepted]) => accepted)).toEqual([true, false]);
  });

  it("notices each changed input that may lock the credential out", async () => {
    const { outs } = await world.create(type, descriptorOf(type).others);
    const faults = changesOf(kind).flatMap(([name, { to }]) => {
      const other = { ...outs, [name]: to };
      // No start is later, because a start is no part of the reach.
      const isRisky = lockOut(outs, other, { type, address: undefined, now: Infinity }).some(
        ({ field }) => field === name,
      );
      return isRisky && reach(other) === reach(outs)
        ? [`${type}.${name}: a change may lock out, and reach hides it`]
        : [];
    });
    expect(faults).toEqual([]);
  });
});
