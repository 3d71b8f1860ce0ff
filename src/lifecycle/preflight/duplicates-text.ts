import { failure } from "../../definition/rule-context";
import { decimal, signedDollars, sum } from "../../cost/money";
import { TOO_LONG } from "../../api/lists/audit-log";
import type { CostSide } from "../../cost/cost";
import { environmentName, settingName } from "../../engine/settings-list";
import { urnParts } from "../../engine/urn";
import type { Finding, Props, ResourceKind } from "../kind/kind";

/** An object with the name of a new resource. */
export interface Duplicate extends MakerOfDuplicate {
  readonly kind: ResourceKind;
  readonly urn: string;
  /** The id for `adopt`. */
  readonly id: string;
  readonly object: Props;
}

export interface MakerOfDuplicate {
  /** When this program made it, if the audit log proves that; ISO 8601. */
  readonly madeHereAt?: string | undefined;
  /** True if the audit log shows who made it, or if another resource of the program has it. */
  readonly isMakerKnown: boolean;
  /** False if the audit log has more entries than were read. */
  readonly isLogComplete?: boolean | undefined;
  /** Who made it, in words: `API key "ci"`. */
  readonly maker?: string | undefined;
  /** True if the audit log shows that a stack with an id made it, and not this one for this resource. */
  readonly isForeign?: boolean;
  /**
   * True if the audit log shows that it was made without a mark: by a stack without an id, perhaps this one, or by
   * something else.
   */
  readonly isUnmarked?: boolean;
}

export function duplicatesText(
  duplicates: readonly Duplicate[],
  newCount: number,
  costOf: (urn: string) => CostSide | undefined,
): string {
  const urns = [...new Set(duplicates.map(({ urn }) => urn))];
  const [have, them] =
    urns.length === 1 ? ["has the name of an existing object", "it"] : ["have the names of existing objects", "them"];
  const secretive = duplicates.find(({ kind }) => kind.secretOutputs.length > 0)?.kind;
  const isProven = duplicates.every(({ madeHereAt }) => madeHereAt !== undefined);
  return [
    `${urns.length} of ${newCount} new ${newCount === 1 ? "resource" : "resources"} ${have} that this state does not have.${isProven ? ` This program made ${them}.` : ""}`,
    `If the state is lost or in another backend, or if a run on another machine was interrupted, an update makes ${them} a second time${priceText(urns.map(costOf))}.`,
    "",
    ...duplicates.map((duplicate) => `  ${lineOf(duplicate)}`),
    "",
    "Use the other state if there is one. Otherwise give each resource the adopt argument above, run `pulumi up`, and remove the arguments again.",
    ...(duplicates.some((each) => isAdoptable(each, duplicates))
      ? [`For what this program made, \`${environmentName("adoptOwn")}=true pulumi up\` does the same in one run.`]
      : []),
    ...(isProven
      ? []
      : ["Do nothing about an object that belongs to somebody else, or to a resource that this run removes."]),
    ...(secretive ? [secretAdvice(secretive)] : []),
  ].join("\n");
}

/** True if the setting `adoptOwn` adopts the object: of several of a resource, it adopts none. */
function isAdoptable({ kind, urn }: Duplicate, duplicates: readonly Duplicate[]): boolean {
  const own = duplicates.filter((each) => each.urn === urn && each.madeHereAt !== undefined);
  return own.length === 1 && kind.secretOutputs.length === 0;
}

/** The sum of the known prices. */
function priceText(costs: readonly (CostSide | undefined)[]): string {
  const amounts = costs.flatMap((side) => side?.cost?.monthlyTotal ?? []).map(decimal);
  if (amounts.length === 0) return "";
  const isIncomplete = costs.some((side) => side?.cost === undefined && side?.unpriced?.status !== "notOffered");
  return ` (${signedDollars(sum(amounts))}/mo${isIncomplete ? " or more" : ""})`;
}

function lineOf({ kind, urn, id, object, madeHereAt, maker, isForeign }: Duplicate): string {
  const [secret] = kind.secretOutputs;
  const adopt = secret === undefined ? `"${id}"` : `{ id: "${id}", ${secret}: "…" }`;
  const made = madeHereAt ?? object["created_at"];
  const by = madeHereAt === undefined ? (maker === undefined ? "" : ` by ${maker}`) : " by this program";
  const date = typeof made === "string" ? `, made${by} ${made.slice(0, 10)}` : "";
  const purpose = isForeign === true ? " for another stack or resource" : "";
  return `${kind.type} ${urnParts(urn).name}${date}${purpose}: adopt: ${adopt}`;
}

function secretAdvice({ nouns, secretOutputs }: ResourceKind): string {
  return (
    `The ${secretOutputs.join(" and ")} of ${nouns} was in the state only. If no client has it, or if a component makes the resource, ` +
    `let the update make a new one, and delete the old one when no client uses it.`
  );
}

/** The failure about an object that the stack has made. No field is named: the program may give no name. */
export function ownFinding({ kind, id }: Pick<Duplicate, "kind" | "id">, madeAt: string): Finding {
  const secret = kind.secretOutputs.join(" and ");
  const adopts =
    secret === ""
      ? "adopts what this program made"
      : `adopts what this program made, and makes a new ${kind.noun}, because the ${secret} was in the lost state only`;
  const reason =
    `its name is taken by ${kind.noun} ${id}, which this program made on ${madeAt.slice(0, 10)}, and this state does not have it. ` +
    `If the state is lost, or a run on another machine was interrupted, run \`${environmentName("adoptOwn")}=true pulumi up\`: it ${adopts}. ` +
    `To list all existing objects first, run ` +
    `\`${environmentName("preflight")}=warn pulumi preview\`. If the stack's configuration has ${settingName("preflight", undefined)}, ` +
    `set it to warn there. An update with that setting makes a second one.`;
  return failure("", reason);
}

/**
 * The failure about several objects that the stack has made for one resource. Nothing says which of them it should
 * have.
 */
export function severalOwnFinding({ kind }: Pick<Duplicate, "kind">, ids: readonly string[]): Finding {
  const reason =
    `its name is taken by ${kind.nouns} ${ids.join(" and ")}, which this program made. Give the resource adopt: "<id>" with the one that it ` +
    `should have, or delete the others`;
  return failure("", reason);
}

/** Without a proof, the update would make a second object, or take over that of somebody else. */
export function doubtFinding({ kind, id, isLogComplete }: Pick<Duplicate, "kind" | "id" | "isLogComplete">): Finding {
  const reason =
    `its name is taken by ${kind.noun} ${id}, and ${isLogComplete === false ? TOO_LONG : "the audit log does not show"} who made it. If it belongs to this resource, give the resource ` +
    `adopt: "${id}". If it does not, also set ${environmentName("preflight")}=warn for this run: the update then makes another one. If the stack's configuration has this setting, change it there`;
  return failure("", reason);
}

/** For an object with the name of a new resource that the setting `adoptOwn` leaves alone. */
export function notAdoptedText({ noun }: ResourceKind, id: string): string {
  return (
    `the provider makes a new ${noun}, although ${noun} ${id} has its name: nothing proves that this stack made that one, which may be older than the stack's id. ` +
    `If it is the one of this resource, give the resource adopt: "${id}" instead`
  );
}

/** For an object that the stack has made, and that `adoptOwn` does not adopt. */
export function lostSecretText({ noun, secretOutputs }: ResourceKind, id: string): string {
  return `${noun} ${id}, which this program made, stays, because its ${secretOutputs.join(" and ")} was in the lost state only: delete it when no client uses it`;
}
