import { hasCredential } from "../../kinds";
import { conditionsInWords } from "./conditions";
import { isOfOperations } from "./fault-meter";
import type { Among, Effect, Fault, Neighbour } from "./fault";
import { isRotatingPair } from "./program";
import type { Damage, Edit, Schedule, Slot, Version } from "./schedule";

/** Describes a schedule in words. */
export function inWords({ slots, versions, isParallel, asksCosts, habit, conditions }: Schedule): string {
  return [
    slotsInWords(slots),
    ...[conditionsInWords(conditions)].filter((text) => text !== ""),
    ...versions.map((version, nth) => versionInWords(version, nth, slots.length)),
    `Then runs without faults, ${isParallel ? "many steps at a time" : "one step after the other"}${asksCosts ? ", with quotes" : ""}; the person ` +
      `${habit}.`,
  ].join("\n");
}

/** The resources of a program. */
export function slotsInWords(slots: readonly Slot[]): string {
  return ["The program:", ...slots.map((slot, index) => `  ${slotInWords(slot, index)}`)].join("\n");
}

/** The changes of a version, after `Run 2`. */
export function changesInWords(edits: readonly Edit[], slots: number): string {
  return edits.length === 0 ? "" : `, ${edits.map((edit) => editInWords(edit, slots)).join(", ")}`;
}

/** Describes what happens to the journal. */
export function damageInWords({ damage, nth }: Damage): string {
  return `Entry ${nth} of the journal becomes ${damage}.`;
}

/** Describes another person's creation at the same moment, after the text of a fault. */
export function beside(neighbour: Neighbour | undefined): string {
  if (!neighbour) return "";
  const key = neighbour.sharesKey ? "the same key" : "a key of their own";
  return `; just ${neighbour.order} it, somebody else creates the same with ${key}`;
}

function slotInWords(slot: Slot, index: number): string {
  if (isRotatingPair(slot)) return `r${index}: RotatingApiKey, a period of 30 days`;
  const facts = [
    slot.isNamed ? "named by the program" : "with a chosen name",
    ...(slot.isAdopted ? ["adopted"] : []),
    ...(slot.hasTwin ? ["somebody else has one of the same name, every field the same"] : []),
    ...(slot.after > 0 && slot.after <= index ? [`depends on r${index - slot.after}`] : []),
    ...(slot.rotates && hasCredential(slot.kind) ? ["with a lifetime of 90 days"] : []),
  ];
  return `r${index}: ${slot.kind}, ${facts.join(", ")}`;
}

function versionInWords(
  { daysLater, edits, faults, refreshes, spelling, names, damage, meddling }: Version,
  nth: number,
  slots: number,
): string {
  const when = daysLater === 0 ? "" : `, ${daysLater} days later`;
  const where = spelling === 0 ? "" : `, base URL in spelling ${spelling}`;
  return [
    ...(damage ? [damageInWords(damage)] : []),
    ...(meddling ? [`A data volume of a VM is ${meddling} by somebody else.`] : []),
    ...(names.stack > 0 ? [`The stack is called dev-${names.stack}.`] : []),
    ...(names.provider > 0 ? [`The provider is called explicit-${names.provider}.`] : []),
    `Run ${nth + 1}${when}${where}${changesInWords(edits, slots)}:`,
    ...faults.map((fault) => `  ${faultInWords(fault)}`),
    ...(refreshes ? ["  then a refresh, with the same faults"] : []),
  ].join("\n");
}

function editInWords({ slot, change }: Edit, slots: number): string {
  const words = {
    tags: "other tags for",
    fields: "fields changed in place for",
    replace: "a replacement of",
    rename: "another name for",
    move: "another logical name for",
    remove: "without",
    restore: "again with",
  };
  return `${words[change]} r${slot % slots}`;
}

function faultInWords({ effect, among, nth, neighbour }: Fault): string {
  const { kind, ...values } = effect;
  const value = Object.entries(values).map(([unit, number]) => ` (${unit}: ${number})`);
  return `${kind}${value.join("")}, at ${placeInWords(effect, among)} ${nth}${beside(neighbour)}`;
}

const AMONG: Readonly<Record<Among, string>> = {
  requests: "request",
  changes: "request that changes something",
  deletions: "request that deletes an object",
  reads: "request for an object",
};

function placeInWords({ kind }: Effect, among: Fault["among"]): string {
  if (kind === "killed before the engine saved" || kind === "Ctrl-C twice before the engine saved") {
    return "the provider's answer";
  }
  if (isOfOperations(kind) && among !== "deletions") return "operation";
  return AMONG[among];
}
