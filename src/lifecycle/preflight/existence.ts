import type { NamedValue } from "../../definition/named-values";
import type { Finding, Props, ResourceKind } from "../kind";
import type { Run } from "../run";
import type { Absence, Surroundings } from "./catalog-reader";
import { severityOf, advice } from "./severity";

/** The values that the API has accepted in a request: nobody needs to look for them. */
export function noteAccepted(
  kind: ResourceKind,
  run: Run,
  inputs: Props,
  isAccepted: (field: string) => boolean,
): void {
  for (const { field, catalog, value } of kind.named(inputs)) {
    if (isAccepted(field)) run.catalogs.note(catalog, value, around(run, inputs));
  }
}

/** The values that no list of the API has. The lists are only read for values that no request has shown to be right. */
export async function existenceFindings(
  kind: ResourceKind,
  run: Run,
  inputs: Props,
  isMeant: (field: string) => boolean,
): Promise<readonly Finding[]> {
  const where = around(run, inputs);
  const open = kind.named(inputs).filter(({ field }) => isMeant(field));
  const findings = await Promise.all(
    open.map(async ({ path, catalog, value }): Promise<Finding[]> => {
      const absence = await run.catalogs.absence(catalog, value, where);
      if (absence === undefined) return [];
      const near = closestOf(absence, "The closest");
      return [{ severity: severityOf(run), field: path, reason: [absence.missing, ...near, advice(run)].join(". ") }];
    }),
  );
  return findings.flat();
}

/**
 * What a refusal may mean: the values that it names, or all if it names none, and the closest that the API has. If it names a value, it has
 * said already that the value is wrong.
 */
export async function hints(
  kind: ResourceKind,
  run: Run,
  inputs: Props,
  refused: readonly string[],
): Promise<readonly string[]> {
  const isNamed = ({ field }: NamedValue): boolean => refused.length === 0 || refused.includes(field);
  const where = around(run, inputs);
  const found = await Promise.all(
    kind
      .named(inputs)
      .filter(isNamed)
      .map(async ({ catalog, value }): Promise<readonly string[]> => {
        const absence = await run.catalogs.absence(catalog, value, where);
        if (absence === undefined) return [];
        if (refused.length > 0) return closestOf(absence, `the closest to ${JSON.stringify(value)}`);
        return [[absence.missing, ...closestOf(absence, "The closest")].join(". ")];
      }),
  );
  return found.flat();
}

/** `The closest are us-sva-2, us-wdc-1`, if there are any. */
function closestOf({ closest }: Absence, subject: string): readonly string[] {
  if (closest.length === 0) return [];
  return [`${subject} ${closest.length === 1 ? "is" : "are"} ${closest.join(", ")}`];
}

function around({ settings }: Run, { projectId, region }: Props): Surroundings {
  return {
    projectId: typeof projectId === "string" ? projectId : settings.projectId,
    region: typeof region === "string" ? region : undefined,
  };
}
