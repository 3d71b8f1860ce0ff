import { existsSync } from "node:fs";
import { join } from "node:path";
import { definitions, kinds } from "../../src/resources/registry";
import type { Definition } from "../../src/definition/types";
import { nounsOf } from "../../src/simulator/nouns/registry";
import { changesOfGrowth, creationOf, driftsOf } from "./derived";
import type { CompleteDescriptor, KindDescriptor } from "./descriptor";

/** The descriptor of each kind, by its type. */
export const descriptors: Readonly<Record<string, CompleteDescriptor>> = Object.fromEntries(
  definitions.map((definition) => [definition.type, completed(definition)]),
);

/** The descriptor of a kind, with all that follows. Throws for a kind without one, and says what to write. */
export function completed(definition: Definition): CompleteDescriptor {
  const { type, path } = definition;
  const name = type.replace(/^./, (letter) => letter.toLowerCase());
  const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (!existsSync(join(__dirname, `${file}.ts`)))
    throw new Error(
      `The kind ${type} has no descriptor: write test/kinds/${file}.ts with its logical name, arguments and edits.`,
    );
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- so that no list has the names once more
  const own = (require(`./${file}`) as Record<string, KindDescriptor>)[name]!;
  const shape = path.replaceAll(/\{\w+\}/g, "{}");
  const noun = nounsOf("spec").find((candidate) => candidate.path.replaceAll(/\{\w+\}/g, "{}") === shape);
  if (!noun) throw new Error(`The simulator has no noun at ${path}: write src/simulator/nouns/${file}.ts.`);
  const { inputs, outputs } = driftsOf(definition, noun, own);
  const args = own.args({ projectId: "project", region: "us-sva-2", vpcId: "vpc" });
  return {
    ...own,
    collection: noun.key,
    creation: (around) => creationOf(definition, own.args(around), around),
    inputDrifts: inputs,
    outputDrifts: outputs,
    changes: { ...changesOfGrowth(definition, args), ...own.changes },
  };
}

/** Whether the provider may sign in with objects of a kind. */
export function hasCredential(type: string): boolean {
  return kinds.some((kind) => kind.type === type && kind.credential !== undefined);
}

/** The kinds whose objects a creation request makes. Those of others are found: something else makes them. */
export const madeTypes: readonly string[] = kinds.flatMap(({ type, discovery }) => (discovery ? [] : [type]));

/** Of these, the ones without a secret that only the creation shows: what an interrupted run left is taken over. */
export const takenOver = kinds
  .filter(({ type, secretOutputs }) => madeTypes.includes(type) && secretOutputs.length === 0)
  .map(({ type }) => type);

/** The kinds whose objects have a status that operations change. */
export const changedByOperations = definitions
  .filter(
    ({ outputs }) => outputs["status"]?.type.kind === "oneOf" && outputs["status"].type.values.includes("updating"),
  )
  .map(({ type }) => type);

/** Of those taken over, the ones with a status: a creation waits until the object is ready. */
export const awaited = takenOver.filter((type) => changedByOperations.includes(type));

/** The descriptor of a kind. */
export function descriptorOf(type: string): CompleteDescriptor {
  const descriptor = descriptors[type];
  if (descriptor) return descriptor;
  throw new Error(`there is no kind ${type}`);
}
