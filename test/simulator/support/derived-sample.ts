import { type QuotaUse, unshownQuotas } from "../../../src/definition/quotas";
import type { Definition } from "../../../src/definition/types";
import { wireName } from "../../../src/definition/wire";
import { definitions } from "../../../src/resources/definitions";
import { resourceTypeOf } from "../../../src/permissions/needed-permissions";
import { instanceTypes } from "../../../src/simulator/model/catalogs";
import type { Noun } from "../../../src/simulator/nouns/noun";
import { descriptorOf, nounAt, SEEDED } from "../../kinds";
import type { Sample } from "./samples";

/** The sample of a noun that a kind has, from the kind's definition and its descriptor. */
export function derivedSample(noun: Noun): Sample | undefined {
  const definition = definitions.find(({ path }) => nounAt(path)?.key === noun.key);
  if (!definition) return undefined;
  const { inputs, path } = definition;
  const descriptor = descriptorOf(definition.type);
  const growing = Object.entries(inputs).filter(([, { growsOnly }]) => growsOnly === true);
  const more = growing.map(([name]) => [name, descriptor.changes[name]?.to] as const);
  const given = descriptor.args(SEEDED);
  const quotas = quotasOf(definition, given);
  const increase = Object.entries(quotasOf(definition, { ...given, ...Object.fromEntries(more) })).map(
    ([name, amount]): [string, number] => [name, amount - (quotas[name] ?? 0)],
  );
  const quotaIncrease = Object.fromEntries(increase.filter(([, amount]) => amount > 0));
  return {
    permission: resourceTypeOf(path),
    // test/functions compares them with the lookups. The orders are tried.
    filters: Object.keys(noun.filters).join(" "),
    sorts: noun.sorts?.join(" "),
    counter: noun.projectCounter,
    growsOnly: growing.map(([name, field]) => wireName(name, field)).join(" ") || undefined,
    quotas,
    ...(Object.keys(quotaIncrease).length > 0 && { quotaIncrease }),
    create: () => descriptor.creation(SEEDED),
    ...(more.length > 0 && {
      update: Object.fromEntries(more.map(([name, to]) => [wireName(name, inputs[name]!), to])),
    }),
  };
}

function quotasOf(definition: Definition, given: object): Readonly<Record<string, number>> {
  const machineOf = (name: string | undefined) => {
    const type = instanceTypes.find((each) => each.name === name);
    return type && { vcpu: type.vcpu, memoryGb: type.memory_gb };
  };
  const use: QuotaUse = definition.quotas?.(given, machineOf) ?? {};
  const unshown: readonly string[] = unshownQuotas.spec;
  return Object.fromEntries(Object.entries(use).filter(([name, amount]) => amount > 0 && !unshown.includes(name)));
}
