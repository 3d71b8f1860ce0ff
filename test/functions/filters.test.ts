import * as cloudinfra from "../../src";
import type { Field } from "../../src/definition/types";
import { wireName } from "../../src/definition/wire";
import { lookups } from "../../src/functions/lookups/lookup-registry";
import { kinds } from "../../src/resources/registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { descriptorOf, madeTypes } from "../kinds";
import { definitionOf } from "../kinds/support/claims";
import { up } from "../support/mini-engine";
import { argsOf, World } from "../support/world";
import { configure } from "./support";

const world = World.forSuite();

/** The parameters of a GET in any dialect, except those of every list and those in its path. */
function parametersAt(path: string): string[] {
  const shape = path.replaceAll(/\{\w+\}/g, "{}");
  const served = [...endpointsOf("spec"), ...endpointsOf("nirvana")].filter(
    (endpoint) => endpoint.method === "GET" && endpoint.path.replaceAll(/\{\w+\}/g, "{}") === shape,
  );
  const names = served.flatMap(({ query }) => Object.keys(query?.shape ?? {}));
  return [...new Set(names)].filter((name) => !["cursor", "limit"].includes(name)).sort();
}

const lists = Object.entries(lookups).filter(([, { finds }]) => finds !== "byIdOrName");

it.each(lists)("%s takes exactly the query parameters of its endpoint", (name, { path, args }) => {
  const taken = Object.entries(args).filter(([arg]) => !path.includes(`{${arg}}`));
  const paths = path.includes("{kind}") ? ["flex", "dedicated"].map((kind) => path.replace("{kind}", kind)) : [path];
  for (const at of paths)
    expect({ [name]: taken.map(([arg, field]) => wireName(arg, field)).sort() }).toEqual({ [name]: parametersAt(at) });
});

const wordsInPaths = lists.flatMap(([name, { path, args }]) =>
  Object.entries(args).flatMap(([arg, { type }]) =>
    type.kind === "oneOf" && path.includes(`{${arg}}`) ? [[name, arg, path, type.values] as const] : [],
  ),
);

it.each(wordsInPaths)("%s accepts every %s in the API's paths", (name, arg, path, values) => {
  const pattern = new RegExp(`^${path.replace(`{${arg}}`, "([^/{}]+)")}$`);
  const served = endpointsOf("spec").flatMap(({ path: at }) => pattern.exec(at)?.[1] ?? []);
  expect({ [`${name}: ${arg}`]: [...values].sort() }).toEqual({ [`${name}: ${arg}`]: [...new Set(served)].sort() });
});

it.each(kinds.map(({ type, path }) => [type, path]))("a lookup reads the list of %s", (_type, path) => {
  if (!lists.some(([, lookup]) => lookup.path === path))
    throw new Error(`No lookup reads the list at ${path}: write one with all(…) in a file of src/functions/lookups.`);
});

const ofKinds = Object.entries(lookups).flatMap(([name, { result }]) =>
  result.type === undefined ? [] : [[name, result.type, Object.keys(result.fields)] as const],
);

it.each(ofKinds)("%s returns every field that a list of %s shows", (name, type, fields) => {
  const { inputs, outputs } = definitionOf(type);
  // A place within another output is not there twice.
  const isShown = ([, { local, part, shown, secret, shownAt }]: [string, Field]): boolean =>
    !local && !part && shown !== "never" && !secret && !shownAt;
  const shown = Object.entries({ ...inputs, ...outputs }).filter(isShown);
  expect({ [name]: [...fields].sort() }).toEqual({ [name]: ["id", ...shown.map(([field]) => field)].sort() });
});

type Filter = readonly [lookup: string, filter: string, type: string];

const filters = lists.flatMap(
  ([
    name,
    {
      args,
      path,
      result: { type },
    },
  ]): Filter[] =>
    type === undefined || !madeTypes.includes(type)
      ? []
      : Object.keys(args).flatMap((arg): Filter[] =>
          arg === "sort" || args[arg]?.configured !== undefined || path.includes(`{${arg}}`) ? [] : [[name, arg, type]],
        ),
);

it.each(filters)("%s filters by %s", async (name, filter, type) => {
  const { apiKey, url: baseUrl, projectId, region } = world.simulator;
  configure(world.simulator, { apiKey, baseUrl, projectId, region });
  await world.reset();
  const { inputs, outputs } = definitionOf(type);
  const tags = inputs["tags"] && { tags: ["ours"] };
  const { state } = await up(world.run(), type, { ...argsOf(type, world.simulator), ...tags }, undefined);
  const found = async (value: unknown): Promise<boolean> => {
    const { args, path } = lookups[name]!;
    const inPath = Object.keys(args).filter((arg) => path.includes(`{${arg}}`));
    const given = Object.fromEntries(inPath.map((arg) => [arg, state.outs[arg]]));
    const ask = (cloudinfra as unknown as Record<string, (args: object) => Promise<{ id: string }[]>>)[name]!;
    return (await ask({ ...given, [filter]: value })).some(({ id }) => id === state.id);
  };
  const { inputDrifts, outputDrifts } = descriptorOf(type);
  const drift = { ...inputDrifts, ...outputDrifts }[filter];
  const own = state.outs[filter];
  if (lookups[name]!.args[filter]?.type.kind === "boolean") {
    expect([await found(true), await found(false)].sort()).toEqual([false, true]);
    return;
  }
  if (own !== undefined) expect([filter, await found(own)]).toEqual([filter, true]);
  const of = { ...inputs, ...outputs }[filter]?.type;
  const drifted = typeof drift === "object" ? drift.shown : "nothing-such";
  const other = of?.kind === "oneOf" ? of.values.find((value) => value !== own) : drifted;
  expect([filter, other, await found(other)]).toEqual([filter, other, false]);
});
