import type { StateResource } from "../pulumi/stack-state";
import { urnParts } from "../../urn";

/** The type that the engine knows API keys by. */
const API_KEY_TYPE = "pulumi-nodejs:dynamic/cloudinfra:ApiKey";

/** An API key as the stack's state has it. Times are epoch milliseconds, undefined where the state shows none. */
export interface StackKey {
  readonly urn: string;
  /** The logical name: what the program calls it. */
  readonly name: string;
  readonly id: string;
  /** Whether it has been replaced, and the next run deletes it. */
  readonly isPendingDeletion: boolean;
  readonly createdAt: number | undefined;
  readonly startsAt: number | undefined;
  readonly expiresAt: number | undefined;
  readonly rotatesAt: number | undefined;
  readonly replacedId: string | undefined;
}

/** A key that has been replaced. */
export interface ReplacedKey {
  readonly urn: string;
  readonly name: string;
  readonly id: string;
  /** When its successor was made, where the state shows that. */
  readonly replacedAt: number | undefined;
}

/** The API keys that a stack manages. Those that it only reads, with `get`, are not among them. */
export function stackKeys(resources: readonly StateResource[]): readonly StackKey[] {
  return resources.flatMap((resource) => {
    const { urn, id } = resource;
    if (resource.type !== API_KEY_TYPE || !id || resource.external === true) return [];
    const text = (field: string): string | undefined => textOf(resource, field);
    return [
      {
        urn,
        name: urnParts(urn).name,
        id,
        isPendingDeletion: resource.delete === true,
        createdAt: timeOf(text("createdAt")),
        startsAt: timeOf(text("startsAt")),
        expiresAt: timeOf(text("expiresAt")),
        rotatesAt: timeOf(text("rotatesAt")),
        replacedId: text("replacedId"),
      },
    ];
  });
}

/** The keys that were replaced, as far back as the state shows: those that are named by their successor, and those not yet deleted. */
export function replacedKeys(keys: readonly StackKey[]): readonly ReplacedKey[] {
  const named = keys.flatMap(({ urn, name, replacedId, createdAt }) =>
    replacedId === undefined ? [] : [{ urn, name, id: replacedId, replacedAt: createdAt }],
  );
  const unnamed = keys
    .filter(({ id, isPendingDeletion }) => isPendingDeletion && !named.some((replaced) => replaced.id === id))
    .map(({ urn, name, id }) => ({
      urn,
      name,
      id,
      replacedAt: keys.find((key) => key.urn === urn && !key.isPendingDeletion)?.createdAt,
    }));
  return [...named, ...unnamed];
}

/** A secret is an object here, and no text. */
function textOf({ outputs, inputs }: StateResource, field: string): string | undefined {
  const value = outputs?.[field] ?? inputs?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
}
