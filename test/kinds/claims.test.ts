import { isDeepStrictEqual } from "node:util";
import { operation } from "../../src/api/operations/operation";
import { sameOf } from "../../src/definition/compare-fields";
import { wireName, fromWire, toWire } from "../../src/definition/wire";
import { isQuotedIn } from "../../src/lifecycle/kind/collection-at";
import { UNKNOWN } from "../../src/engine/values";
import type { ResourceKind } from "../../src/lifecycle/kind/kind";
import { keptOutputs } from "../../src/native/preview-answers";
import { kinds } from "../../src/resources/registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { checkNew } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { argsOf, collectionOf, World } from "../support/world";
import { harmless, madeTypes } from ".";
import type { Change } from "./descriptor";
import { fieldsIn, memberAt, nameOf, noneLike, withoutPath } from "./support/defaults";
import {
  bodyOf,
  changesInPlace,
  changesOf,
  replacementOf,
  countedBetween,
  definitionOf,
  expectEqual,
  machinesOf,
  madeKinds,
  madeRaw,
  usedQuotas,
} from "./support/claims";

// Compares a definition with the API in both directions, so that a missing declaration is found too.

const world = World.forSuite();
/** In this dialect, the API has all quotas. */
const counting = World.forSuite("nirvana");

describe.each(madeKinds)("the definition of %s", (type, kind, definition) => {
  const { inputs, outputs } = definition;
  const args = (): Record<string, unknown> => world.args(type);

  it("declares as priced what changes the API's quote", async () => {
    const path = `${collectionOf(type, world.simulator)}/cost`;
    const faults: string[] = [];
    const changes = new Map(changesOf(kind));
    let refusal = "no quote";
    for (const field of Object.keys(kind.fields)) {
      const priceOf = async (value: unknown): Promise<string | undefined> => {
        const given = { ...args(), ...(value !== undefined && { [field]: value }), name: "sample" };
        const checked = await checkNew(world.run({ preflight: "off" }), type, given);
        const quote = await world
          .api("POST", path, toWire(kind, checked.inputs, world.clock.now()))
          .catch((error: unknown) => void (refusal = String(error)));
        return quote?.["monthly_total"] as string | undefined;
      };
      const { from, to } = changes.get(field) ?? { to: undefined };
      const [one, other] = [await priceOf(from), await priceOf(to)];
      const differs = one !== undefined && other !== undefined && one !== other;
      if (differs && !(field in kind.pricedFields))
        faults.push(`${type}.${field}: the API's quote changes with it (${one}, ${other}), so say priced`);
      if (!differs && inputs[field]?.priced === true)
        faults.push(
          `${type}.${field}: the API's quote does not change with it (${one ?? refusal}, ${other ?? refusal}), so do not say priced`,
        );
    }
    expect(faults).toEqual([]);
  });

  it("asks for a quote if a priced field changes", async () => {
    if (definition.isQuoted === false) return;
    for (const [field, { from, to }] of changesOf(kind)) {
      const run = world.run({ preflight: "off" });
      const quotesFor = async (name: string, value: unknown): Promise<number> => {
        const before = (await world.requests()).length;
        await checkNew(run, type, { ...args(), ...(value !== undefined && { [field]: value }) }, name);
        return (await world.requests()).slice(before).filter((request) => request.endsWith("/cost")).length;
      };
      await quotesFor("a", from);
      const isQuoted = (await quotesFor("b", to)) > 0;
      const verdict = (asks: boolean): string => (asks ? "asks for a quote" : "shares the quote");
      expectEqual(`${type}.${field}`, verdict(isQuoted), verdict(field in kind.pricedFields));
    }
  });

  it("is refused in an unknown region", async () => {
    if (!("region" in kind.fieldsAtApi)) return;
    const body = { ...(await bodyOf(world, kind)), region: "nowhere" };
    await expect(madeRaw(world, type, body)).rejects.toThrow("unknown region");
  });

  it("declares the quotas that the API counts", async () => {
    const machines = await machinesOf(counting);
    const expectCount = async (step: string, values: object | undefined): Promise<void> => {
      const taken = values && (kind.quotas?.({ ...values }, machines) as Record<string, number> | undefined);
      const counted = countedBetween(before, await usedQuotas(counting));
      expectEqual(`${type}, ${step}`, counted, countedBetween({}, taken ?? {}));
    };
    let before: Record<string, number> = {};
    for (const [field, { from, to }] of changesInPlace(kind)) {
      before = await usedQuotas(counting);
      const given = { ...argsOf(type, counting.simulator), ...(from !== undefined && { [field]: from }) };
      const made = await up(counting.run(), type, given, undefined);
      await expectCount("creation", made.state.inputs);
      const changed = await up(counting.run(), type, { ...given, [field]: to }, made.state);
      await expectCount(`change of ${field}`, changed.state.inputs);
      const replaced = await up(counting.run(), type, { ...given, [field]: to, ...replacementOf(kind) }, changed.state);
      counting.clock.advance(60_000);
      await expectCount("replacement", replaced.state.inputs);
      await counting.run().of(type).delete(replaced.state.id, replaced.state.outs);
      counting.clock.advance(60_000);
      await expectCount("deletion", undefined);
      await counting.reset();
    }
  });

  it("declares the defaults that the API shows", async () => {
    const body = await bodyOf(world, kind);
    for (const { path, field, isShown } of fieldsIn(inputs)) {
      const isLeftOut =
        field.default !== undefined || (field.optional === true && path.every(([, { same }]) => same === undefined));
      if (!isLeftOut) continue;
      await world.reset();
      const made = isShown ? await madeRaw(world, type, withoutPath(body, path)).catch(String) : "no answer shows it";
      const isOwn = made === "no answer shows it" || (typeof made === "string" && made.includes('"is required"'));
      if (typeof made === "string" && !isOwn) throw new Error(made);
      const shown = typeof made === "string" ? noneLike(field.default) : memberAt(fromWire(kind, made.shown), path);
      const isSame = sameOf(field)(shown, field.default, world.clock.now());
      // A default that the provider chooses switches nothing on, and destroys nothing.
      const source = isOwn ? "the API has none, so it must ask for nothing" : "the API shows";
      expectEqual(`default of ${type}.${nameOf(path)}, ${source}`, isSame ? shown : field.default, shown);
    }
  });

  it("declares unique names as the API does", async () => {
    const path = collectionOf(type, world.simulator);
    const body = await bodyOf(world, kind);
    await world.api("POST", path, body);
    const answer = await world.api("POST", path, body).catch(String);
    const isTaken = typeof answer === "string" && answer.includes(": 409 ");
    const isEnforced = inputs["name"]?.unique === "enforced";
    if (isTaken && !isEnforced) throw new Error(`${type}.name: the API takes a name once, so say unique: "enforced"`);
    if (!isTaken && isEnforced) throw new Error(`${type}.name: unique, and the API takes the same name twice`);
  });

  it("declares the secrets of the creation's answer", async () => {
    const { answer, shown } = await madeRaw(world, type, await bodyOf(world, kind));
    const known = [...Object.keys(shown), ...Object.keys(operation.shape)];
    const once = Object.keys(answer).filter((member) => !known.includes(member));
    const secrets = kind.secretOutputs.map((name) => wireName(name, outputs[name]!));
    const faults = [
      ...once
        .filter((member) => !secrets.includes(member))
        .map((member) => `${member} is in the answer to the creation only: say secret(…)`),
      ...secrets
        .filter((member) => !once.includes(member))
        .map((member) => `${member} is secret, and the answer to the creation has none`),
    ];
    expectEqual(`outputs of ${type}`, faults, []);
  });
});

/** The fields that change in place and have ids of other objects, with a function that makes such an object. */
function referencesIn({ fields }: ResourceKind): [field: string, makes: () => Promise<Change>][] {
  return Object.entries(fields).flatMap(([field, { change }]) => {
    const type = field.replace(/Ids?$/, "").replace(/^./, (letter) => letter.toUpperCase());
    if (change === "replace" || type === field || !madeTypes.includes(type)) return [];
    const make = async (): Promise<Change> => {
      const { id } = await world.create(type, {}, { name: "other" });
      return { to: field.endsWith("s") ? [id] : id };
    };
    return [[field, make]];
  });
}

it.each(kinds)("$type declares the outputs that change with an input", async (kind) => {
  const { type, outputs } = kind;
  const faults: string[] = [];
  const computed = kind.computed.filter((name) => outputs[name]?.secret !== true);
  for (const [field, change] of [...changesInPlace(kind), ...referencesIn(kind)]) {
    const { from, to } = typeof change === "function" ? await change() : change;
    const given = world.args(type, { ...(from !== undefined && { [field]: from }) });
    const { state } = await up(world.run(), type, given, undefined);
    const after = await up(world.run(), type, { ...given, [field]: to }, state);
    expect([field, after.operation]).toEqual([field, "update"]);
    const announced = keptOutputs(kind, state.outs, after.state.inputs);
    for (const name of computed) {
      const isSame = isDeepStrictEqual(state.outs[name], after.state.outs[name]);
      const isAnnounced = announced[name] === UNKNOWN || isDeepStrictEqual(announced[name], after.state.outs[name]);
      if (!isSame && !isAnnounced)
        faults.push(`${type}.${name} changes with ${field}, and the preview shows the old value: say changesWith`);
      if (isSame && outputs[name]?.changesWith?.includes(field) === true)
        faults.push(`${type}.${name}: changesWith ${field}, and it stays as it is`);
    }
    await world.reset();
  }
  expect(faults).toEqual([]);
});

describe.each(kinds.map((kind) => [kind.type, kind] as const))("the endpoints of %s", (type, kind) => {
  const definition = definitionOf(type);
  const { path, hasAvailability = false } = definition;

  it.each(["spec", "nirvana"] as const)("the kind has the endpoints of the dialect %s", (dialect) => {
    const collection = path.replaceAll(/\{\w+\}/g, "{}");
    const served = endpointsOf(dialect).map(({ method, path: at }) => `${method} ${at.replaceAll(/\{\w+\}/g, "{}")}`);
    const action = `POST ${collection}/{}/`;
    const verbs = Object.values(definition.inputs).flatMap(({ actions }) => [
      ...(actions?.(undefined, "one") ?? []),
      ...(actions?.("one", undefined) ?? []),
    ]);
    const has = (verb: string, at: string): boolean => served.includes(`${verb} ${collection}${at}`);
    expect({
      type,
      quotes: has("POST", "/cost"),
      changes: has("PATCH", "/{}/cost"),
      "hasAvailability, to say in the definition": has("POST", "/availability"),
      actions: served
        .flatMap((one) => (one.startsWith(action) ? [one.slice(action.length)] : []))
        .filter((verb) => !verb.includes("/") && !has("GET", `/{}/${verb}`)) // no collection below
        .sort(),
    }).toEqual({
      ...{ type, quotes: isQuotedIn(definition, dialect), changes: isQuotedIn(definition, dialect) },
      "hasAvailability, to say in the definition": hasAvailability,
      actions: [...new Set(verbs.map(({ verb }) => verb))].sort(),
    });
  });

  it("checks an update at the path of its object", async () => {
    if (kind.discovery) return;
    const { state } = await up(world.run(), type, world.args(type), undefined);
    const before = (await world.requestsWithIds()).length;
    const args = world.args(type, { ...harmless(type, "new") });
    const fault = await preview(world.run(), type, args, state).then(() => "none", String);
    const since = (await world.requestsWithIds()).slice(before);
    const requests = since.filter((request) => /^PATCH .*\/(availability|cost)$/.test(request));
    const at = `PATCH ${collectionOf(type, world.simulator)}/${state.id}`;
    // The change costs nothing: the quote is requested only if no other request checks the change.
    const judge = hasAvailability ? "/availability" : "/cost";
    const expected = definition.isQuoted === false ? [] : [`${at}${judge}`];
    expect({ type, requests, fault }).toEqual({ type, requests: expected, fault: "none" });
  });
});
