import { collectionAt } from "../kind/collection-at";
import { fromWire } from "../../definition/wire";
import ms from "ms";
import { NotFoundError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import { pollUntil } from "../../time/clock";
import { isSameId } from "../../definition/same-id";
import { applyChanges } from "../objects/apply-changes";
import { outputAsTextFault } from "../../text/output-as-text";
import { listed } from "../../text/terminal-text";
import { isUnknown } from "../../engine/values";
import { isBeingDeleted } from "../../api/schema";
import { reportDeleted } from "../objects/deletion";
import { CancelledError, IncompleteChangeError, NotAppliedError, UndiscoveredObjectError } from "../errors";
import type { JournalEntry } from "../../journal/entry";
import { foundText } from "../../journal/left-behind";
import { changedFields } from "../kind/changed-fields";
import { type Finding, type Props, type ResourceKind, operationName } from "../kind/kind";
import type { Fields } from "../../definition/types";
import { readWhenStable, seconds } from "../objects/readiness";
import { getObject, type ObjectRun } from "../objects/resource-call";
import type { RecoveryCall } from "../recovery/recovery-call";
import type { Api } from "../../api/client";
import { otherOwner } from "../memory/known-objects";
import type { RunFacts } from "../memory/run-memory";
import type { Proposal } from "../pricing/quote-of-creation";
import type { AdoptionResult } from "./adoption-check";

const MAX_NAMED = 20;

interface Match {
  readonly id: string;
  readonly shown: Props;
}

/** The objects of a collection: those that match the arguments, and the others. */
interface CollectionObjects {
  readonly matches: readonly Match[];
  readonly others: readonly Match[];
}

/**
 * Finds the object that a new resource of a discovered kind takes over, for check. If there is none, a preview warns,
 * because the object may be made in the same run. Several are a failure.
 */
export async function discoverObject(
  { kind, run: { api }, urn, inputs: given }: Proposal<ObjectRun>,
  { previous, isPreview }: RunFacts,
): Promise<AdoptionResult | undefined> {
  const { discovery } = kind;
  if (discovery === undefined || previous || !isAskable(kind, given)) return undefined;
  const [by = ""] = discovery.by;
  const finding = (severity: Finding["severity"], reason: string, field = by): AdoptionResult => ({
    id: "",
    shown: undefined,
    findings: [{ severity, field, reason }],
  });
  const existing = await undefinedIfNotFound(() => findExisting(kind, api, given, operationName("read", kind, urn)));
  if (existing === undefined) {
    const [parent = ""] = kind.pathFields;
    return finding("failure", `the API has nothing with the id ${String(given[parent])}: correct it`, parent);
  }
  const [first, ...more] = existing.matches;
  if (more.length > 0) return finding("failure", ambiguousText(kind, existing));
  if (first) return { ...first, findings: [] };
  return isPreview ? finding("warning", `${missingText(kind, given, existing)}. The update waits for it`) : undefined;
}

/**
 * Waits until the object exists. Rejects with UndiscoveredObjectError if none exists at the time limit, or if several
 * match.
 */
export async function awaitDiscovered(call: RecoveryCall): Promise<string> {
  const { kind, run, inputs, urn, verb, endsAt } = call;
  const since = run.clock.now();
  const name = operationName(verb, kind, urn);
  const waitedS = (): string => seconds(run.clock.now() - since);
  const awaited = `the ${kind.noun} with the ${criteriaText(kind, inputs)}`;
  const existing = await pollUntil(
    run.clock,
    { firstPauseMs: 1_000, longestPauseMs: 10_000, endsAt },
    () => findExisting(kind, run.api, inputs, name),
    ({ matches }) => matches.length > 0,
    () => run.rows.status(urn, `waiting for ${awaited}: ${waitedS()}`),
  ).catch((error: unknown) => {
    if (!(error instanceof CancelledError)) throw error;
    throw new CancelledError(
      `${name}: the run was cancelled after ${waitedS()} of waiting for ${awaited}. Nothing was changed. Run again.`,
    );
  });
  const [first, ...more] = existing.matches;
  if (first && more.length === 0) return first.id;
  const waited = ms(run.clock.now() - since, { long: true });
  const reason = first
    ? ambiguousText(kind, existing)
    : `${missingText(kind, inputs, existing)}. Waited ${waited} for it. Correct the arguments, or wait until it exists. Then run again`;
  throw new UndiscoveredObjectError(`${name}: ${reason}.`);
}

function changeableFields({ shownFields }: ResourceKind): Fields {
  return Object.fromEntries(Object.entries(shownFields).filter(([, { change }]) => change !== "replace"));
}

interface BeforeAdoption {
  readonly foundAs: Props;
  /** Called before the engine gets the object. */
  handOver(): Promise<void>;
  /** Called if a change was refused: the object is unchanged and is not taken over. */
  refused(): Promise<void>;
}

/**
 * Saves the present values of the fields that a program can change, so that `giveBack` can restore them. Earlier values
 * count instead if the resource has had the object before (a replacement may find it again), or if an interrupted run
 * has taken the object over, for any resource. The journal keeps the values until the state has them.
 */
export async function beforeAdoption(call: RecoveryCall, id: string, shown: Props): Promise<BeforeAdoption> {
  const { kind, run, urn, request } = call;
  const shownAs = foundAsShown(kind, shown);
  const earlier = await earlierTakeOver(call, id);
  if (earlier?.foundAs) {
    if (changedFields(changeableFields(kind), shownAs, earlier.foundAs, run.api.now()).length > 0)
      await run.rows.line(urn, "info", foundBeforeText(call, id, earlier, shownAs));
    const entry = await run.journal.accept(earlier, id);
    return { foundAs: earlier.foundAs, handOver: () => run.journal.handOver(entry), refused: () => Promise.resolve() };
  }
  const before = run.memory.of(urn);
  const known = isSameId(before?.id, id) ? before?.outputs?.memory.object.foundAs : undefined;
  const foundAs = known ?? shownAs;
  const entry = await run.journal.begin({ kind, request, found: { id, foundAs } });
  return { foundAs, handOver: () => run.journal.handOver(entry), refused: () => run.journal.close(entry) };
}

function foundBeforeText(
  { kind }: RecoveryCall,
  id: string,
  { sentAt, foundAs }: JournalEntry,
  shownAs: Props,
): string {
  return (
    `An earlier run took ${kind.noun} ${id} over at ${sentAt}, and found it with ${foundText(foundAs ?? {})}. Now it has ${foundText(shownAs)}. ` +
    `A deletion of this resource sets it back to what the earlier run found`
  );
}

/** The entry of an interrupted run that has taken the object over: it has the former values. */
async function earlierTakeOver({ run, urn }: RecoveryCall, id: string): Promise<JournalEntry | undefined> {
  return (await run.journal.earlier(urn)).find((entry) => entry.foundAs && isSameId(entry.id, id));
}

/** The values of an imported object before any take-over. */
export async function foundBefore(call: RecoveryCall, id: string, shown: Props): Promise<Props> {
  return (await earlierTakeOver(call, id))?.foundAs ?? foundAsShown(call.kind, shown);
}

/** The values of the fields that a program can change. */
function foundAsShown(kind: ResourceKind, shown: Props): Props {
  return Object.fromEntries(Object.keys(changeableFields(kind)).map((field) => [field, shown[field]]));
}

/** Sets a discovered object back to its values from before the take-over. The object may no longer exist. */
export async function giveBack(call: RecoveryCall, id: string): Promise<void> {
  const { kind, run, urn, verb, inputs, request } = call;
  const { foundAs } = request.memory.object;
  const other = otherOwner(run.memory.objects, urn, id);
  if (other !== undefined) {
    const found = foundAs
      ? `, which may not know that it was found with ${foundText(foundAs)}. Set that before you remove it`
      : "";
    const text =
      `${kind.noun} ${id} stays as it is: it belongs to the resource "${other}"${found}. Run \`pulumi refresh\` and ` +
      `\`pulumi up\`, so that it matches that resource`;
    return run.rows.line(urn, "warning", text);
  }
  // A change of an interrupted run may still be under way.
  const get = (): Promise<Props> => getObject(call, id);
  const shown = await undefinedIfNotFound(async () => fromWire(kind, await readWhenStable(call, id, get)));
  if (shown === undefined) return reportDeleted(call, id);
  if (isBeingDeleted(shown)) return;
  const wanted = { ...inputs, ...shown, ...foundAs };
  const changed = changedFields(changeableFields(kind), shown, wanted, run.api.now());
  try {
    await applyChanges({ ...call, inputs: wanted }, id, changed);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error instanceof IncompleteChangeError ? error.cause : error;
    if ((await undefinedIfNotFound(get)) === undefined) return reportDeleted(call, id);
    const text = `${operationName(verb, kind, urn)}: the API answered 404 to the change of ${id}, and still shows it. Run again.`;
    throw new NotAppliedError(text, { cause: error });
  }
  const stays = foundAs
    ? `stays, as it was found: ${foundText(foundAs)}`
    : "stays as it is: the state does not know how it was found";
  await run.rows.line(urn, "info", `${kind.noun} ${id} ${stays}`);
}

/**
 * True if the values for a search are known: those of the path, and the identifying ones. The validation reports wrong
 * values.
 */
function isAskable({ pathFields, discovery }: ResourceKind, given: Props): boolean {
  const isText = (value: unknown): boolean =>
    typeof value === "string" && value.trim() !== "" && !isUnknown(value) && outputAsTextFault(value) === undefined;
  const [first = "", ...rest] = discovery?.by ?? [];
  return (
    [...pathFields, first].every((field) => isText(given[field])) && !rest.some((field) => isUnknown(given[field]))
  );
}

async function findExisting(kind: ResourceKind, api: Api, given: Props, purpose: string): Promise<CollectionObjects> {
  const found: Match[] = [];
  for await (const wire of collectionAt(api, kind, given).list({ purpose })) {
    if (!isBeingDeleted(wire)) found.push({ id: wire.id, shown: fromWire(kind, wire) });
  }
  const identifying = Object.entries(kind.fields).filter(([field]) => kind.discovery?.by.includes(field));
  const fits = ({ shown }: Match): boolean =>
    changedFields(Object.fromEntries(identifying), shown, given, api.now()).length === 0;
  return { matches: found.filter(fits), others: found.filter((each) => !fits(each)) };
}

function missingText(kind: ResourceKind, given: Props, { others }: CollectionObjects): string {
  const { noun, discovery } = kind;
  const there = others.length === 0 ? "The API shows none" : `The API shows ${matchesText(kind, others)}`;
  return `there is no ${noun} with the ${criteriaText(kind, given)}. ${discovery?.origin ?? ""}. ${there}`;
}

/** `serviceName "web" and namespace "default"` */
function criteriaText({ discovery }: ResourceKind, given: Props): string {
  const by = (discovery?.by ?? []).filter((field) => given[field] !== undefined);
  return by.map((field) => `${field} ${JSON.stringify(given[field])}`).join(" and ");
}

function ambiguousText(kind: ResourceKind, { matches }: CollectionObjects): string {
  const more = kind.discovery?.by.slice(1).join(" and ") ?? "";
  return `${matches.length} objects fit: ${matchesText(kind, matches)}. Give ${more} too, or the id of one as "adopt"`;
}

/** Lists objects by their identifying fields: `web in shop (<id>)`. */
function matchesText({ discovery }: ResourceKind, found: readonly Match[]): string {
  const texts = found.map(({ id, shown }) => {
    const [first, ...rest] = (discovery?.by ?? []).map((field) => String(shown[field]));
    return `${[first, ...rest].join(" in ")} (${id})`;
  });
  return listed(texts, MAX_NAMED);
}
