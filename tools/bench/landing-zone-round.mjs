import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { MeasuredStack } from "./measured-stack.mjs";

const require = createRequire(import.meta.url);
const FOLDER = join(ROOT, "examples", "landing-zone");
const CLASS_PREFIX = "pulumi-nodejs:dynamic/cloudinfra:";

/** The runs of the engine in a round, in order. */
const RUNS = {
  "new preview": "preview",
  up: "up",
  "no-change preview": "preview",
  refresh: "refresh",
  destroy: "destroy",
};

const PHASES = Object.keys(RUNS);
const PROGRAMS = ["package", "floor"];

/**
 * One round: a new stack of examples/landing-zone goes through all phases, and, if `programs` has it, the engine's floor beside it.
 * Resolves with `{ resources, created, collections, runs: { [phase]: { [program]: run } } }`: how many resources the program declares,
 * components among them; how many objects of the API; and in how many of the API's collections they are.
 */
export async function runRound({ settings, flags = [], programs = PROGRAMS, onRun }) {
  const { operationTime, latency } = settings;
  const project = { folder: FOLDER, entries: readdirSync(FOLDER).filter((entry) => entry !== "node_modules") };
  const stacks = {};
  const runs = Object.fromEntries(PHASES.map((phase) => [phase, {}]));
  const measure = async (phase, program) => {
    onRun?.(program, phase);
    runs[phase][program] = await stacks[program].run(RUNS[phase], flags);
  };
  try {
    stacks.package = await MeasuredStack.start("package", { project, simulator: { operationTime, latency } });
    skipTypeCheck(stacks.package.stack.folder);
    // The floor declares the same resources as the package's state, so it runs after the package.
    for (const phase of ["new preview", "up"]) await measure(phase, "package");
    const resources = await stacks.package.resources();
    if (programs.includes("floor")) {
      stacks.floor = await MeasuredStack.start("floor");
      stacks.floor.declare(declarationsOf(resources));
      for (const phase of ["new preview", "up"]) await measure(phase, "floor");
    }
    for (const phase of PHASES.slice(2)) for (const program of programs) await measure(phase, program);
    return { resources: resources.length, ...objectsOf(resources), runs };
  } finally {
    for (const stack of Object.values(stacks)) await stack.close();
  }
}

/** The floor's program is JavaScript, so that the time of a TypeScript check is not measured. */
function skipTypeCheck(folder) {
  const file = join(folder, "tsconfig.json");
  const { compilerOptions, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...rest, compilerOptions: { ...compilerOptions, noCheck: true } }));
}

/**
 * The resources of a state for the floor, with the same inputs and outputs, and with unique names. An output has no value. A component has
 * neither.
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

/** The number of resources that are objects of the API, and the number of collections that they are in. */
function objectsOf(resources) {
  const { kinds } = require("../../dist/resources/registry.js");
  const pathFieldsOf = new Map(kinds.map(({ type, pathFields }) => [CLASS_PREFIX + type, pathFields]));
  const objects = resources.filter(({ type }) => pathFieldsOf.has(type));
  const collections = objects.map(({ type, outputs }) => [
    type,
    ...pathFieldsOf.get(type).map((field) => outputs[field]),
  ]);
  return { created: objects.length, collections: new Set(collections.map((each) => each.join(" "))).size };
}
