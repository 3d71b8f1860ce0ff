import { integer, object, text } from "./field";
import { quotaWords, unshownQuotas, type QuotaName } from "./quotas";
import type { Field, Fields } from "./types";

interface QuotaDimension {
  /** The most that the organization may use. */
  readonly limit: number;
  /** The limit minus what is used. */
  readonly remaining: number;
  /** What is used. */
  readonly used: number;
}

type Group = QuotaName extends `${infer G}.${string}` ? G : never;
type Camel<Word extends string> = Word extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : Word;

/** The usage and the limits of the organization in one region. */
export type QuotaValues = {
  /** The name of the region. */
  readonly region: string;
} & {
  readonly [G in Group]: {
    readonly [Name in QuotaName as Name extends `${G}.${infer Member}` ? Camel<Member> : never]:
      QuotaDimension | (Name extends (typeof unshownQuotas)["spec" | "nirvana"][number] ? undefined : never);
  };
};

/** The fields of the API's answer on the quotas of one region. */
export const quotaFields: Fields = {
  region: text(),
  ...Object.fromEntries(Object.entries(membersByGroup()).map(([group, members]) => [group, object(members)])),
};

function membersByGroup(): Record<string, Fields> {
  const groups: Record<string, Record<string, Field>> = {};
  for (const name of Object.keys(quotaWords).sort()) {
    const [group = "", member = ""] = name.split(".");
    const isOptional = Object.values(unshownQuotas)
      .flat()
      .some((one) => one === name);
    const dimension = { limit: integer(), remaining: integer(), used: integer() };
    const camel = member.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
    (groups[group] ??= {})[camel] = object(dimension, isOptional ? { optional: true, shown: "maybe" } : {});
  }
  return groups;
}
