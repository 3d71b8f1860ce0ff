import type { Api } from "../../api/client";
import { CloudinfraError, ForbiddenError, InvalidResponseError, NotFoundError } from "../../api/errors";
import { collectionAt } from "../../lifecycle/kind/collection-at";
import { apiKey } from "../../resources/api-key";
import { definitions } from "../../resources/definitions";
import { project } from "../../resources/project";
import { resourceTypeOf } from "../../permissions/needed-permissions";
import { listedBy } from "../../definition/definition";
import { quotaSchema, type ApiObject } from "../../definition/response-schemas";
import { listed } from "../../text/terminal-text";
import { defaultLine, MAX_NAMES, type Setting } from "./lines";
import { fault, line, type DoctorLine } from "./doctor-report";

/**
 * Sends a request to each readable endpoint, and says what the key may read. A line is a fault if the key may not read,
 * or if the answer shows that the settings are wrong. Rejects only with an unexpected error.
 */
export async function probe(
  api: Api,
  { project: configured, region }: { readonly project: Setting; readonly region: string | undefined },
): Promise<readonly DoctorLine[]> {
  const projects: ApiObject[] = [];
  const projectsLine = await accessLine("projects", "no project:read", async () => {
    for await (const listed of collectionAt(api, project).list()) projects.push(listed);
  });
  const ids = projects.map(({ id }) => id);
  // If the configured project is not listed, one line says so. The permissions are those for another one.
  const projectId = configured?.value;
  const isListed = projectId !== undefined && (ids.length === 0 || ids.includes(projectId));
  const probedProjectId = isListed ? projectId : ids[0];
  const inProject = definitions.flatMap((kind) => {
    const inputName = listedBy(kind);
    if (inputName === undefined) return [];
    if (probedProjectId === undefined) return notAsked(kind.nouns, "no project to look in: set cloudinfra:projectId");
    const lack = `no ${resourceTypeOf(kind.path) ?? ""}:read, or not for this project`;
    return accessLine(kind.nouns, lack, () =>
      readFirst(collectionAt(api, kind, { [inputName]: probedProjectId }).list()),
    );
  });

  const auditLogs = accessLine("audit logs", "no audit_log:read", () => readFirst(api.auditLogs.list()));
  const others = await Promise.all([
    ...inProject,
    accessLine("connect routes", "no connect_connection:read", () => readFirst(api.connectRoutes.list())),
    accessLine("API keys", "no api_key:read", () => readFirst(collectionAt(api, apiKey).list())),
    auditLogs,
    region === undefined
      ? notAsked("quotas", "no region to look in: set cloudinfra:region")
      : accessLine(`quotas of ${region}`, "the API does not say which permission this needs", () =>
          api.show(quotaSchema, ["v1", "quotas", region], {}),
        ),
  ]);
  return [
    ...(projectsLine.verdict === "ok"
      ? [allProjectsLine(projects), defaultLine("projectId", configured, ids)]
      : [projectsLine]),
    ...others,
    proofLine(await auditLogs),
  ];
}

const PROOF = "proof of ownership";
const ABOUT_EDITING =
  "The doctor only reads. `cloudinfra permissions --check` says whether the key may edit what a program has.";

/** Says whether a run can prove what a creation with a lost response made. It needs the audit log for that. */
function proofLine({ verdict, isDenied }: AccessLine): DoctorLine {
  const advice = [ABOUT_EDITING];
  if (verdict === "ok") return line("ok", PROOF, "possible: the audit log shows what each creation has made", advice);
  if (!isDenied) return line("unknown", PROOF, "not known: the audit log cannot be read", advice);
  return line(
    "no",
    PROOF,
    "not possible without audit_log:read: a run can only name what a lost creation made",
    advice,
  );
}

interface AccessLine extends DoctorLine {
  /** True if the key may not read it. */
  readonly isDenied?: true;
}

/** `lack`: the finding if the request is refused. */
async function accessLine(subject: string, lack: string, request: () => Promise<unknown>): Promise<AccessLine> {
  try {
    await request();
    return line("ok", subject, "allowed");
  } catch (error) {
    if (error instanceof ForbiddenError) return { ...fault(subject, `denied: ${lack}`), isDenied: true };
    // A service may have fewer endpoints than the specification.
    if (error instanceof NotFoundError) return line("unknown", subject, "not found: this service may not have it");
    if (!(error instanceof CloudinfraError)) throw error;
    if (error instanceof InvalidResponseError && error.defect === "other-dialect")
      return fault(subject, "answered in another dialect, see below", [error.message]);
    return fault(subject, "no usable answer, see below", [error.message]);
  }
}

function notAsked(subject: string, reason: string): DoctorLine {
  return line("unknown", subject, `not asked: ${reason}`);
}

/** Reads one item only, because a list of audit logs can be long. */
async function readFirst(list: AsyncIterable<unknown>): Promise<void> {
  await list[Symbol.asyncIterator]().next();
}

function allProjectsLine(projects: readonly ApiObject[]): DoctorLine {
  const names = projects.map(({ name, id }) => `${String(name)} (${id})`);
  return line("ok", "projects", names.length === 0 ? "allowed, and there are none" : listed(names, MAX_NAMES));
}
