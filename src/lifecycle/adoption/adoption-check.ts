import { collectionAt } from "../kind/collection-at";
import { withNamedPartsOnly } from "../../definition/parts";
import { pathInputs } from "../../definition/definition";
import { parseImportId } from "../../definition/import-id";
import { failure } from "../../definition/rule-context";
import { fromWire } from "../../definition/wire";
import { NotFoundError } from "../../api/errors";
import { isSameId } from "../../definition/same-id";
import { isRecord } from "../../definition/compare-values";
import { nameMeant } from "../../text/closest";
import { outputAsTextFault } from "../../text/output-as-text";
import { containsUnknown, isUnknown } from "../../engine/values";
import type { Api } from "../../api/client";
import { guardOwnCredential } from "../credential/own-credential";
import { verdictOnUpdate, type PreflightRun } from "../preflight/preflight";
import { changedFields, replacingFields } from "../kind/changed-fields";
import { type Finding, type Props, type ResourceKind, operationName } from "../kind/kind";
import { getWithParts } from "../objects/get-with-parts";
import type { ObjectRun, ProposedUpdate } from "../objects/resource-call";
import type { RunFacts } from "../memory/run-memory";
import type { DeclaredResource } from "../resource-request";
import type { Proposal } from "../pricing/quote-of-creation";
import { claimObject } from "../memory/claim-object";
import { noteUnnamedParts } from "./unnamed-parts";

/** The parsed input `adopt`: an id and, for a kind with secrets, the secrets that it gives. */
interface AdoptionInput {
  readonly id: string;
  readonly secrets: Props;
}

export function adoptionOf({ secretOutputs }: ResourceKind, adopt: unknown): AdoptionInput | undefined {
  const id = idIn(adopt);
  if (!isUsableId(id)) return undefined;
  if (!isRecord(adopt)) return { id, secrets: {} };
  const given = secretOutputs.filter((name) => typeof adopt[name] === "string");
  return { id, secrets: Object.fromEntries(given.map((name) => [name, adopt[name]])) };
}

/** The id at the API of the object that `adopt` names. */
export function adoptedIdOf(kind: ResourceKind, adopt: unknown): string | undefined {
  const id = adoptionOf(kind, adopt)?.id;
  return id === undefined ? undefined : parseImportId(kind, id).id;
}

/**
 * A finding for each secret in `adopt` that cannot be one: an example of a message, or an empty environment variable.
 */
export function adoptedSecretFindings({ secretOutputs }: ResourceKind, adopt: unknown): readonly Finding[] {
  return secretOutputs.flatMap((name) => {
    const value = isRecord(adopt) ? adopt[name] : undefined;
    if (typeof value !== "string" || /^[\x21-\x7e]+$/.test(value)) return [];
    const fault = value === "" ? "is empty" : `has spaces or letters that no ${name} has`;
    return [failure(`adopt.${name}`, `${fault}: give it as the API showed it at the creation`)];
  });
}

/** A finding if `adopt` has no id. Otherwise an empty environment variable would lead to a new object. */
export function adoptFindings(adopt: unknown): readonly Finding[] {
  const id = idIn(adopt);
  if (adopt === undefined || isUsableId(id)) return [];
  const given = id === undefined ? "missing" : typeof id === "object" ? "no text" : JSON.stringify(id);
  const reason =
    outputAsTextFault(id) ?? `must be an id, and is ${given}. Give the id of the object, or remove "adopt"`;
  return [failure(isRecord(adopt) ? "adopt.id" : "adopt", reason)];
}

function idIn(adopt: unknown): unknown {
  return isRecord(adopt) ? adopt["id"] : adopt;
}

function isUsableId(id: unknown): id is string {
  return typeof id === "string" && id.trim() !== "" && outputAsTextFault(id) === undefined;
}

/** The id of the object that a resource has adopted, as long as its `adopt` is used. */
export function usedAdoption(kind: ResourceKind, { memory, props }: DeclaredResource): string | undefined {
  return memory.adopted ?? adoptedIdOf(kind, props["adopt"]);
}

interface PendingAdoption {
  /** The value of `adopt` that stays in the inputs. */
  readonly input: unknown;
  readonly pendingId: string | undefined;
  /** The id, if an earlier run has already followed this `adopt`. */
  readonly used: string | undefined;
}

/**
 * `adopt` works once. It stays in the inputs of the run that adopts. The next check removes it and remembers the id. So
 * a later replacement makes a new object instead of adopting the one that it replaces.
 */
export function pendingAdoption(kind: ResourceKind, input: unknown, facts: RunFacts): PendingAdoption {
  const given = adoptionOf(kind, input);
  if (!given) return { input, pendingId: undefined, used: undefined };
  const earlier = facts.previous ?? facts.replaced;
  const id = adoptedIdOf(kind, input);
  const spent = [earlier && usedAdoption(kind, earlier), facts.replaced ? facts.id : undefined];
  if (spent.some((known) => isSameId(known, id))) return { input: undefined, pendingId: undefined, used: id };
  return { input, pendingId: isUnknown(given.id) ? undefined : given.id, used: undefined };
}

export interface AdoptionResult {
  readonly id: string;
  /** The object's inputs and outputs. Undefined if it does not exist or may not be managed. */
  readonly shown: Props | undefined;
  readonly findings: readonly Finding[];
}

export async function readAdopted(
  proposal: Proposal<ObjectRun>,
  { pendingId }: PendingAdoption,
): Promise<AdoptionResult | undefined> {
  if (pendingId === undefined) return undefined;
  const { kind, run, urn, inputs: given } = proposal;
  const { api } = run;
  const { id, inputs } = parseImportId(kind, pendingId);
  // If the parent is adopted in the same run, its id is unknown: then only the import id has it.
  const known = Object.entries(given).filter(([, value]) => !isUnknown(value));
  const wanted: Props = { ...inputs, ...Object.fromEntries(known) };
  if (Object.values(inputs).concat(id).some(isUnknown)) return undefined;
  try {
    const wire = await getWithParts(
      api,
      kind,
      { id, inputs: wanted, ownParts: "all" },
      { purpose: operationName("read", kind, urn) },
    );
    const shown = withNamedPartsOnly(kind, fromWire(kind, wire), given);
    const refusal = wire["status"] === "deleted" ? deletedText(kind, id) : kind.refuse?.(shown);
    if (refusal !== undefined) return { id, shown: undefined, findings: [failure("adopt", refusal)] };
    noteUnnamedParts(proposal, wire);
    return { id, shown, findings: [] };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const meant = await objectMeant(kind, api, wanted, id);
    if (isSameId(meant?.id, id)) {
      const reason = `the API lists the ${kind.noun} ${id} and answers 404 to it: run again later`;
      return { id, shown: undefined, findings: [failure("adopt", reason)] };
    }
    const path = pathInputs(kind).map((field) => `<${field}>`);
    // The parent may be the wrong one, so the advice names the complete import id.
    const isBare = path.length > 0 && Object.keys(inputs).length === 0;
    const advice = isBare ? `correct it, write it as "${path.join("/")}/<id>"` : "correct it";
    const hint = meant ? ` (the ${kind.noun} ${JSON.stringify(meant.name)} has the id ${meant.id})` : "";
    const reason = `there is no ${kind.noun} with the id ${id}${hint}: ${advice}, or remove "adopt"`;
    return { id, shown: undefined, findings: [failure("adopt", reason)] };
  }
}

/**
 * Finds the listed object that the user means: the id may be a name, or mistyped, or its GET may answer 404. Undefined
 * if there is none.
 */
async function objectMeant(
  kind: ResourceKind,
  api: Api,
  inputs: Props,
  id: string,
): Promise<{ readonly id: string; readonly name: unknown } | undefined> {
  const objects: Props[] = [];
  try {
    for await (const wire of collectionAt(api, kind, inputs).list({ purpose: `look for ${kind.noun} ${id}` }))
      objects.push(wire);
  } catch {
    return undefined; // the error is reported without the hint
  }
  const nearest = nameMeant(
    id,
    objects.map((wire) => String(wire["id"])),
  );
  const meant = objects.find((wire) => wire["name"] === id || wire["id"] === nearest);
  return meant && { id: String(meant["id"]), name: meant["name"] };
}

export function changesOnAdoption(kind: ResourceKind, shown: Props, inputs: Props, now: number): readonly string[] {
  const replacing = replacingFields(kind.shownFields, shown, inputs, now);
  return changedFields(kind.shownFields, shown, inputs, now).filter((field) => !replacing.includes(field));
}

/** The text on the row: `adopts <id>; then changes destinationPorts: 443 → 80`. */
export function adoptionText({ id, olds: shown, news: inputs, changed }: ProposedUpdate): string {
  const object = shown["status"] === "error" ? `${id} (with the status "error")` : id;
  if (changed.length === 0) return `adopts ${object}, changes nothing`;
  return `adopts ${object}; then ${changesText(changed, shown, inputs)}`;
}

/** `changes destinationPorts: 443 → 80` */
export function changesText(changed: readonly string[], olds: Props, news: Props): string {
  const texts = changed.map((field) => `${field}: ${valueText(olds[field])} → ${valueText(news[field])}`);
  return `changes ${texts.join(", ")}`;
}

/**
 * The API's objections to the changes that the adoption makes. Throws OwnCredentialError if they would lock the
 * provider out.
 */
export async function adoptionFindings(planned: ProposedUpdate<ObjectRun & PreflightRun>): Promise<readonly Finding[]> {
  if (planned.changed.length === 0) return [];
  const { secrets } = adoptionOf(planned.kind, planned.news["adopt"]) ?? { secrets: {} };
  const olds = { ...planned.olds, ...secrets };
  await guardOwnCredential({ ...planned, olds, isReplaced: false, isPreview: true });
  return (await verdictOnUpdate(planned)).findings;
}

function valueText(value: unknown): string {
  if (containsUnknown(value)) return "(not known yet)";
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "none";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function deletedText({ noun }: ResourceKind, id: string): string {
  return `the API shows ${noun} ${id} with the status "deleted": correct the id, or remove "adopt"`;
}

/** Failures for the fields that differ from the program, and that the API cannot change. */
export function immutableDifferences(kind: ResourceKind, shown: Props, wanted: Props, now: number): readonly Finding[] {
  return replacingFields(kind.shownFields, shown, wanted, now)
    .filter((field) => !containsUnknown(wanted[field]))
    .map((field) => ({
      severity: "failure",
      field,
      reason:
        `cannot be changed at the API. The object to adopt has ${JSON.stringify(shown[field] ?? null)}, the program ` +
        `${JSON.stringify(wanted[field] ?? null)}: use the object's value in the program, or adopt another object`,
    }));
}

/** The refusal of `claimObject` as a finding. check only plans to take the object over, so the claim is not certain. */
export function claimFindings(
  { kind, run, urn, inputs: { adopt } }: Proposal<ObjectRun>,
  id: string,
): readonly Finding[] {
  const field = adopt === undefined ? (kind.discovery?.by[0] ?? "") : "adopt";
  const reason = claimObject({ kind, run, urn }, id, { isCertain: false, plannedBy: field, existedBefore: true });
  return reason === undefined ? [] : [failure(field, reason)];
}
