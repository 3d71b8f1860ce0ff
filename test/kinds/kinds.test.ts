import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { collectionAt } from "../../src/lifecycle/kind/collection-at";
import { text } from "../../src/definition/field";
import type { Fields } from "../../src/definition/types";
import { isRecord } from "../../src/definition/compare-values";
import { fromWire, shownAt, toWire, wireName } from "../../src/definition/wire";
import type { Api } from "../../src/api/client";
import type { ResourceKind } from "../../src/lifecycle/kind/kind";
import { resourceTypeOf } from "../../src/permissions/needed-permissions";
import { definitions, kinds } from "../../src/resources/registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { all, bench } from "../api/support/api-fixture";
import * as samples from "../api/support/samples";
import { checkNew } from "../support/lifecycle";
import { World } from "../support/world";
import { completed, descriptorOf, nounAt } from ".";
import { driftsOf, snakeCase } from "./derived";
import type { KindDescriptor } from "./descriptor";
import { definitionOf, expectEqual, shownBy } from "./support/claims";
import { faultsOf, type Json } from "./support/shown";

/** Members that the definition says a response may lack. */
function mayBeAbsent(type: string): string[] {
  const { inputs, outputs } = definitionOf(type);
  const optional = Object.entries({ ...inputs, ...outputs }).filter(
    ([, { shown, omitsDefault }]) => shown === "maybe" || omitsDefault === true,
  );
  return optional.map(([name]) => snakeCase(name));
}

/** The paths of members without a field. */
function* membersBeside(fields: Fields, wire: Readonly<Record<string, unknown>>, at: string): Iterable<string> {
  for (const [member, value] of Object.entries(wire)) {
    const found = Object.entries(fields).find(([name, field]) => shownAt(name, field)[0] === member);
    if (!found) yield `${at}${member}`;
    else if (found[1].type.kind === "object" && isRecord(value))
      yield* membersBeside(found[1].type.members, value, `${at}${member}.`);
  }
}

const world = World.forSuite();
it("says what to write for a kind without a descriptor", () => {
  const definition = { ...definitions[0]!, type: "NoSuchKind" };
  expect(() => completed(definition)).toThrow("has no descriptor: write test/kinds/no-such-kind.ts");
});

it.each(definitions)("src/resources/api-key-permission.ts has the permission of $type", ({ path }) => {
  expect(resourceTypeOf(path)).toBe(nounAt(path)?.resourceType);
});

it.each(definitions)("the descriptor of $type repeats nothing that can be derived", (definition) => {
  const own = descriptorOf(definition.type);
  const driftOf = (name: string, given: KindDescriptor): unknown => {
    const { inputs, outputs } = driftsOf(definition, nounAt(definition.path)!, given);
    return { ...inputs, ...outputs }[name];
  };
  const follows = (part: "values" | "drifts", name: string): boolean => {
    const without = { ...own, [part]: { ...own[part], [name]: undefined } };
    try {
      return isDeepStrictEqual(driftOf(name, without), driftOf(name, own));
    } catch {
      return false; // The descriptor must say it.
    }
  };
  const superfluous = (["values", "drifts"] as const).flatMap((part) =>
    Object.keys(own[part] ?? {}).flatMap((name) => (follows(part, name) ? [`${part}.${name}`] : [])),
  );
  expectEqual(`to leave out of the descriptor of ${definition.type}`, superfluous, []);
});

describe.each(kinds.map((kind) => [kind.type, kind] as const))("%s", (type, kind) => {
  it("has the words of the simulator's noun", () => {
    const wordsOf = (noun = ""): unknown => noun.split(" ").sort();
    expectEqual(`noun of ${type} (see acronyms in noun.ts)`, wordsOf(kind.noun), wordsOf(nounAt(kind.path)?.noun));
  });

  it("uses the API's units in its fields", () => {
    for (const [name, field] of Object.entries(kind.inputs)) {
      const unit = field.type.kind === "oneOf" ? field.type.enumeration?.unit : undefined;
      if (unit === undefined) continue;
      expectEqual(`unit of ${type}.${name}`, unit.toLowerCase(), wireName(name, field).split("_").at(-1));
    }
  });

  it("reads every output that the API shows", async () => {
    const wire = await shownBy(world, type);
    const shown = fromWire(kind, wire);
    const unread = kind.computed.filter((field) => (shown[field] === undefined) !== (wire[snakeCase(field)] === null));
    expectEqual(`outputs of ${type} that no answer shows`, unread, []);
  });

  it("every member that the API shows has a field", async () => {
    const { inputs, planned, outputs } = definitionOf(type);
    const wire = await shownBy(world, type);
    const elsewhere = Object.values(inputs).flatMap(({ part }) => (part ? [part.idAt] : []));
    const known = { id: text(), ...inputs, ...planned, ...outputs };
    const unread = [...membersBeside(known, wire, "")].filter((path) => !elsewhere.includes(path));
    expectEqual(`members that ${type} has no field for`, unread, []);
  });

  it("sends the members of the specification, and no others", async () => {
    const args = { ...descriptorOf(type).args(world.simulator), name: "sample" };
    const { inputs } = await checkNew(world.run(), type, args);
    expect(toWire(kind, inputs, world.clock.now())).toEqual(descriptorOf(type).creation(world.simulator));
  });

  it("the API's answers match the definition", () => {
    const { inputs, outputs, path } = definitionOf(type);
    const answer = z.toJSONSchema(nounAt(path)!.shown, { unrepresentable: "any" }) as Json;
    expectEqual(type, [...faultsOf(inputs, answer, true), ...faultsOf(outputs, answer, false)], []);
  });
});

/** The calls of a kind, and their requests by the definition's path, which is the specification's. */
function callsOf(
  kind: ResourceKind,
  api: Api,
  wire: Readonly<Record<string, unknown>>,
): [method: string, url: string, body: unknown, ask: () => Promise<unknown>][] {
  const { path = "" } = definitions.find(({ type }) => type === kind.type) ?? {};
  const inputs = { vpcId: "v", clusterId: "v", projectId: "p" };
  const base = path.replace(/\{\w+\}/, "v");
  const shapeOf = (of: string): string => of.replaceAll(/\{\w+\}/g, "{}");
  const served = endpointsOf("spec").find((at) => at.method === "GET" && shapeOf(at.path) === shapeOf(path));
  const isOfProject = "project_id" in (served?.query?.shape ?? {});
  const list = `${base}?limit=100${isOfProject ? "&project_id=p" : ""}`;
  const calls = collectionAt(api, kind, inputs);
  const operation = samples.sampleOperation();
  return [
    ["POST", base, operation, () => calls.create({}, {})],
    ["GET", `${base}/x`, { ...wire, id: "x" }, () => calls.get("x", {})],
    ["PATCH", `${base}/x`, operation, () => calls.update("x", { name: "n" }, {})],
    ["DELETE", `${base}/x`, operation, () => calls.delete("x", {})],
    ["GET", list, samples.listOf([wire]), () => all(calls.list({}))],
    ["POST", `${base}/cost`, samples.sampleQuote(), () => calls.quoteCreate({}, {})],
    ["PATCH", `${base}/x/cost`, samples.sampleQuoteUpdate(), () => calls.quoteUpdate("x", {}, {})],
  ];
}

describe.each(kinds.map((kind) => [kind.type, kind] as const))("the endpoints of %s", (type, kind) => {
  const isQuoted = definitions.find((definition) => definition.type === type)?.isQuoted !== false;

  // test/resources/placeholders.test.ts shows that others are not asked for quotes.
  it.each(isQuoted ? [0, 1, 2, 3, 4, 5, 6] : [0, 1, 2, 3, 4])(
    "sends request %i as specified, and parses its answer",
    async (nth) => {
      const answer = { status: 200, body: undefined as unknown };
      const { api, server } = await bench(() => answer);
      const [method, url, body, ask] = callsOf(kind, api, await shownBy(world, type))[nth]!;
      answer.body = body;
      await ask();
      expect(server.arrived.map((request) => [request.method, request.url])).toEqual([[method, url]]);
    },
  );

  it("names a member that the answer lacks", async () => {
    const wire = await shownBy(world, type);
    for (const member of Object.keys(wire).filter((name) => !mayBeAbsent(type).includes(name))) {
      const { api } = await bench(() => ({ status: 200, body: samples.without(wire, member) }));
      const reading = collectionAt(api, kind, { vpcId: "v", clusterId: "v" }).get("x", {});
      await expect(reading).rejects.toThrow(`- ${member} is missing`);
    }
  });
});
