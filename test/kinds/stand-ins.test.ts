import { isQuotedIn } from "../../src/lifecycle/kind/collection-at";
import { UNKNOWN } from "../../src/engine/values";
import { sent } from "../support/lifecycle";
import { argsOf, World } from "../support/world";
import { argsElsewhere, madeKinds, parentOf } from "./support/claims";

const world = World.forSuite();

const inParents = madeKinds.flatMap(([type, , definition]) => {
  const { parent, input = "" } = parentOf(definition) ?? {};
  return parent && isQuotedIn(definition, "spec") ? [[type, parent.type, parent, input] as const] : [];
});

it.each(inParents)("prices %s although its %s is new", async (type, parentType, parent, input) => {
  const args = { ...argsOf(type, world.simulator), ...(await argsElsewhere(world, type, parent, input)) };
  const quoted = async (id: unknown): Promise<unknown> => {
    const run = world.run({ preflight: "off" });
    await run.of(parentType).check({}, sent(parentType, "new", argsOf(parentType, world.simulator)));
    const { inputs } = await run.of(type).check({}, sent(type, "x", { ...args, [input]: id }));
    return (inputs["cost"] as { readonly monthlyTotal: string } | undefined)?.monthlyTotal ?? "unknown";
  };
  const known = await quoted(args[input]);
  if ((await quoted(UNKNOWN)) !== known)
    throw new Error(
      `${type}: in a new ${parentType} its price is unknown, and in another one it is ${String(known)}. Say standIn, with the inputs that ` +
        "lead to the other one and those that have to fit it",
    );
});
