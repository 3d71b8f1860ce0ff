import type { Api } from "../../api/client";
import { CloudinfraError, ForbiddenError, InvalidResponseError } from "../../api/errors";
import type { Project } from "../../api/lookup-schemas";
import { collectionAt } from "../../lifecycle/kind/collection-at";
import { vpc } from "../../resources/vpc";
import { volume } from "../../resources/volume";
import { connectConnection } from "../../resources/connect-connection";
import { apiKey } from "../../resources/api-key";
import { quotaSchema } from "../../definition/response-schemas";
import { listed } from "./lines";
import type { Line, Report } from "./report";

export interface ProbeScope {
  /** The configured project, if there is one. */
  readonly projectId: string | undefined;
  /** The configured region, or the first one. */
  readonly region: string | undefined;
}

/**
 * Asks each readable endpoint once, and says what the key may read. Rejects only with an unforeseen error. `isFine`: the key may read
 * everything, and no answer shows that the settings are wrong.
 */
export async function probe(
  api: Api,
  { projectId, region }: ProbeScope,
): Promise<Report & { readonly isFine: boolean }> {
  const projects = await ask("projects", "no project:read", async () => {
    const all: Project[] = [];
    for await (const project of api.projects.list()) all.push(project);
    return all;
  });
  const askedProjectId = projectId ?? projects.answer?.[0]?.id;
  const inProject = (subject: string, permission: string, list: (projectId: string) => AsyncIterable<unknown>) =>
    askedProjectId === undefined
      ? notAsked(subject, "no project to look in: set cloudinfra:projectId")
      : ask(subject, `no ${permission}, or not for this project`, () => first(list(askedProjectId)));

  const others = await Promise.all([
    inProject("VPCs", "vpc:read", (id) => collectionAt(api, vpc, { projectId: id }).list()),
    inProject("volumes", "volume:read", (id) => collectionAt(api, volume, { projectId: id }).list()),
    inProject("connect connections", "connect_connection:read", (id) =>
      collectionAt(api, connectConnection, { projectId: id }).list(),
    ),
    ask("connect routes", "no connect_connection:read", () => first(api.connectRoutes.list())),
    ask("API keys", "no api_key:read", () => first(collectionAt(api, apiKey).list())),
    ask(AUDIT_LOGS, "no audit_log:read", () => first(api.auditLogs.list())),
    region === undefined
      ? notAsked("quotas", "no region to look in: set cloudinfra:region")
      : ask(`quotas of ${region}`, "the service does not say which permission it takes", () =>
          api.show(quotaSchema, ["v1", "quotas", region], {}),
        ),
  ]);
  const auditLogs = others.find(({ line }) => line.subject === AUDIT_LOGS);
  return {
    lines: [...projectLines(projects, projectId), ...others.map(({ line }) => line), proofLine(auditLogs?.line)],
    advice: [projects, ...others].flatMap(({ advice }) => advice),
    isFine: ![projects, ...others].some(({ isFault }) => isFault === true),
  };
}

const AUDIT_LOGS = "audit logs";

/** Whether a run can prove what a creation with a lost answer made: only the audit log can. */
function proofLine(auditLogs: Line | undefined): Line {
  const isPossible = auditLogs?.verdict === "ok";
  return {
    verdict: isPossible ? "ok" : "no",
    subject: "proof of ownership",
    finding: isPossible
      ? "possible: the audit log shows what each creation has made"
      : "not possible without audit_log:read: a run can only name what a lost creation made",
  };
}

interface ProbeAnswer<Answer> {
  readonly line: Line;
  readonly advice: readonly string[];
  readonly answer?: Answer;
  /** Whether the answer is a refusal, or of another dialect than the settings say. */
  readonly isFault?: boolean;
}

/** `lack`: the meaning of a refusal. */
async function ask<Answer>(
  subject: string,
  lack: string,
  request: () => Promise<Answer>,
): Promise<ProbeAnswer<Answer>> {
  try {
    const answer = await request();
    return { line: { verdict: "ok", subject, finding: "allowed" }, advice: [], answer };
  } catch (error) {
    if (error instanceof ForbiddenError) {
      return { line: { verdict: "no", subject, finding: `denied: ${lack}` }, advice: [], isFault: true };
    }
    if (!(error instanceof CloudinfraError)) throw error;
    if (error instanceof InvalidResponseError && error.defect === "other-dialect") {
      const line = { verdict: "no", subject, finding: "answered in another dialect, see below" } as const;
      return { line, advice: [error.message], isFault: true };
    }
    return { line: { verdict: "no", subject, finding: "no usable answer, see below" }, advice: [error.message] };
  }
}

function notAsked(subject: string, why: string): ProbeAnswer<never> {
  return { line: { verdict: "unknown", subject, finding: `not asked: ${why}` }, advice: [] };
}

/** One item is enough, because a list of audit logs can be long. */
async function first(list: AsyncIterable<unknown>): Promise<void> {
  await list[Symbol.asyncIterator]().next();
}

function projectLines(
  { line, answer }: ProbeAnswer<readonly Project[]>,
  configured: string | undefined,
): readonly Line[] {
  if (!answer) return [line];
  const names = answer.map(({ name, id }) => `${name} (${id})`);
  const projects: Line = { ...line, finding: names.length === 0 ? "allowed, and there are none" : listed(names) };
  if (configured === undefined || answer.some(({ id }) => id === configured)) return [projects];
  const finding = `cloudinfra:projectId is ${configured}, which is none of them`;
  return [projects, { verdict: "no", subject: "default project", finding }];
}
