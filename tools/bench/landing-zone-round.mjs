import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { MeasuredStack } from "./measured-stack.mjs";

const require = createRequire(import.meta.url);
const FOLDER = join(ROOT, "examples", "landing-zone");
const CLASS_PREFIX = "pulumi-nodejs:dynamic/cloudinfra:";

/** The options of a round (see engine-bench.mjs): examples/landing-zone, and the engine's floor beside it. */
export function landingZone(settings) {
  const open = (program, states) => (program === "floor" ? openFloor(states.package) : openPlatform(settings));
  return { programs: ["package", "floor"], skipped: ["one-change preview"], open };
}

async function openPlatform(settings) {
  const project = { folder: FOLDER, entries: readdirSync(FOLDER).filter((entry) => entry !== "node_modules") };
  const platform = await MeasuredStack.start("package", { project, settings });
  skipTypeCheck(platform.stack.folder);
  return platform;
}

/** The floor declares the same resources as the package's state. */
async function openFloor(resources) {
  const floor = await MeasuredStack.start("floor");
  floor.declare(declarationsOf(resources));
  return floor;
}

/** The floor's program is JavaScript, so that the time of a TypeScript check is not measured. */
function skipTypeCheck(folder) {
  const file = join(folder, "tsconfig.json");
  const { compilerOptions, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...rest, compilerOptions: { ...compilerOptions, noCheck: true } }));
}

/**
 * The resources of a state for the floor, with the same inputs and outputs, and with unique names. An output has no
 * value. A component has neither.
 */
function declarationsOf(resources) {
  const shownOf = ({ inputs, outputs }) => {
    const names = Object.keys({ ...outputs, ...inputs }).filter((name) => !name.startsWith("__"));
    return Object.fromEntries(names.map((name) => [name, inputs[name] ?? null]));
  };
  return Object.fromEntries(
    resources.map(({ urn, custom, ...resource }) => [
      urn.split("::").slice(-2).join("-"),
      custom ? shownOf(resource) : null,
    ]),
  );
}

/**
 * How many resources there are, components among them; how many of them are objects of the API; and in how many of the
 * API's collections those are.
 */
export function objectsOf(resources) {
  const { kinds } = require("../../dist/resources/registry.js");
  const pathFieldsOf = new Map(kinds.map(({ type, pathFields }) => [CLASS_PREFIX + type, pathFields]));
  const objects = resources.filter(({ type }) => pathFieldsOf.has(type));
  const collections = objects.map(({ type, outputs }) => [
    type,
    ...pathFieldsOf.get(type).map((field) => outputs[field]),
  ]);
  return {
    resources: resources.length,
    created: objects.length,
    collections: new Set(collections.map((each) => each.join(" "))).size,
  };
}
