import type { NamedValue } from "../../definition/named-values";
import type { Finding, Props, ResourceKind } from "../kind";
import type { Run } from "../run";
import type { Surroundings } from "./catalog-reader";
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
      return [{ severity: severityOf(run), field: path, reason: `${absence}. ${advice(run)}` }];
    }),
  );
  return findings.flat();
}

/** What a refusal may mean: the values that it names, or all if it names none, and the closest that the API has. */
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
      .map(({ catalog, value }) => run.catalogs.absence(catalog, value, where)),
  );
  return found.filter((absence) => absence !== undefined);
}

function around({ settings }: Run, { projectId, region }: Props): Surroundings {
  return {
    projectId: typeof projectId === "string" ? projectId : settings.projectId,
    region: typeof region === "string" ? region : undefined,
  };
}
