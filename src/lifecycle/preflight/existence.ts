import { closestText } from "../../text/closest";
import { catalogs } from "../../definition/catalogs";
import type { NamedValue } from "../../definition/named-values";
import { isUnknown } from "../../engine/values";
import { shownInput } from "../../text/redaction";
import type { Finding, Props } from "../kind/kind";
import type { Proposal } from "../pricing/quote-of-creation";
import type { Settings } from "../../settings/config";
import { type Absence, type CatalogReader, type OtherInputs, namedIn } from "./catalog-reader";
import type { Objection } from "../kind/objections";

export interface CatalogRun {
  readonly settings: Settings;
  readonly catalogs: CatalogReader;
}

export type NamingProposal = Pick<Proposal<CatalogRun>, "kind" | "run" | "inputs">;

/** Notes values that the API has accepted in a request, so that their lists are not read. */
export function noteAccepted({ kind, run, inputs }: NamingProposal, isAccepted: (field: string) => boolean): void {
  for (const { field, catalog, value } of namedIn(kind, inputs)) {
    if (isAccepted(field) && catalogs[catalog].acceptsUnlisted !== true)
      run.catalogs.note(catalog, value, otherInputs(run, inputs));
  }
}

/** Finds values that do not exist at the API. A list is only read if no request has shown the value to be right. */
export async function existenceFindings(
  { kind, run, inputs }: NamingProposal,
  isMeant: (field: string) => boolean,
): Promise<readonly Finding[]> {
  const where = otherInputs(run, inputs);
  const open = namedIn(kind, inputs).filter(({ field }) => isMeant(field));
  const findings = await Promise.all(
    open.map(async ({ path, catalog, value }): Promise<Finding[]> => {
      const absence = await run.catalogs.absence(catalog, value, where);
      if (absence === undefined) return [];
      const near = closestOf(absence);
      const reason = [absence.missing, ...near, CORRECT_IT].join(". ");
      return [{ severity: preflightSeverity(run), field: path, reason }];
    }),
  );
  return findings.flat();
}

/**
 * An objection with its value and the closest existing values, unless its own words contain them. If the objection
 * names no argument, it may be about any value.
 */
export async function explainObjection(
  { kind, run, inputs }: NamingProposal,
  { path, text }: Objection,
): Promise<string> {
  const where = otherInputs(run, inputs);
  const meant = namedIn(kind, inputs).filter((named) => named.value.trim() !== "" && isAbout(path, named));
  const looked = await Promise.all(
    meant.map(async ({ catalog, value }) => {
      const absence = await run.catalogs.absence(catalog, value, where);
      return absence === undefined ? [] : [{ value, absence }];
    }),
  );
  const absent = looked.flat();
  const words = text.replace(/\.$/, "");
  if (path === undefined)
    return [words, ...absent.flatMap(({ absence }) => [absence.missing, ...closestOf(absence)])].join(". ");

  const values = new Set([valueAt(path, inputs), ...absent.map(({ value }) => value)]);
  const given = [...values].filter((value) => isScalar(value) && !namesIn(text).includes(String(value)));
  const unnamed = absent.filter(
    ({ absence }) => absence.elsewhere !== undefined || !absence.closest.every((name) => text.includes(name)),
  );
  const shown = [words, ...given.map((value) => ` (is ${shownInput(value)}${originText(run, value)})`)].join("");
  return [shown, ...unnamed.flatMap(({ absence }) => closestOf(absence))].join(". ");
}

/** Names the setting that a value comes from, because the program does not contain the value. */
function originText({ settings }: CatalogRun, value: unknown): string {
  const origins = { "the configured project": settings.projectId, "the configured region": settings.region };
  const origin = Object.entries(origins).find(([, configured]) => configured === value);
  return origin === undefined ? "" : `, ${origin[0]}`;
}

function valueAt(path: string, inputs: Props): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  return keys.reduce<unknown>((value, key) => (value as Props | undefined)?.[key], inputs);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** The words of a text that may be names. "v1.34.4" is one word, so it does not contain "1.34". */
function namesIn(text: string): readonly string[] {
  return text.split(/[\s"'`,;()]+/).map((word) => word.replace(/[.:]$/, ""));
}

/** True if an objection is about the value, or about an argument that contains it. */
function isAbout(path: string | undefined, named: NamedValue): boolean {
  return path === undefined || named.path === path || [".", "["].some((next) => named.path.startsWith(path + next));
}

/** `It is in the region us-sva-2`, or `The closest are us-sva-2, us-wdc-1`, if there are any. */
function closestOf({ closest, elsewhere }: Absence): readonly string[] {
  if (elsewhere !== undefined) return [`It is in ${elsewhere}`];
  return [closestText(closest)].filter((text) => text !== undefined);
}

/** The known inputs of a resource. The project of the settings counts for a kind without one. */
function otherInputs({ settings }: CatalogRun, inputs: Props): OtherInputs {
  const entries = Object.entries({ projectId: settings.projectId, ...inputs });
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === "string" && !isUnknown(value) ? [[name, value]] : [])),
  );
}

/**
 * The severity that `cloudinfra:preflight` gives to a change that can never work (`ever`), or that the API could not
 * make now.
 */
export function preflightSeverity(
  { settings: { preflight } }: { readonly settings: Pick<Settings, "preflight"> },
  when: "ever" | "now" = "ever",
): Finding["severity"] {
  return preflight === "strict" || (preflight === "fail" && when === "ever") ? "failure" : "warning";
}

/** It does not mention `cloudinfra:preflight`: with another value, only the update would fail. */
export const CORRECT_IT = "Correct it: the update would fail too";
