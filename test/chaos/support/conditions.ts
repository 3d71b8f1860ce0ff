import * as does from "../../support/proxy/actions";
import { type Action, requests } from "../../support/proxy/exchange";
import type { FaultProxy } from "../../support/proxy/fault-proxy";
import type { TestBed } from "./test-bed";
import { REGION } from "./neighbours";
import type { Conditions, Schedule, Version } from "./schedule";
import type { Service } from "./service";

/** The conditions of an ordinary service. */
export const fair: Conditions = {
  lateReads: 0,
  lateLists: 0,
  lateAudit: 0,
  mayReadAudit: true,
  logsTargets: true,
  dateAheadSeconds: 0,
  idsChangeCase: false,
  emptyPages: false,
};

/** Sets how service and network behave from now on. */
export function impose(conditions: Conditions, service: Service, proxy: FaultProxy): void {
  const { lateReads, lateLists, lateAudit, logsTargets, dateAheadSeconds, idsChangeCase, emptyPages } = conditions;
  service.world.lag = { readsMs: lateReads * 1000, listsMs: lateLists * 1000, auditMs: lateAudit * 1000 };
  proxy.clear();
  if (dateAheadSeconds !== 0) proxy.on({}, does.skewDate(dateAheadSeconds * 1000));
  if (emptyPages) proxy.on({ ...requests.lists }, does.emptyPageFirst).on(requests.auditLogs, does.emptyPageFirst);
  if (!logsTargets) proxy.on(requests.auditLogs, does.withoutTargets);
  if (idsChangeCase) proxy.on({}, caseless).on(requests.reads, does.upperCaseIds);
}

/** A service that accepts ids in upper or lower case. */
const caseless: Action = (request, forward) =>
  forward({ ...request, path: request.path.replaceAll(/[0-9A-F]{8}-[0-9A-F-]{27}/g, (id) => id.toLowerCase()) });

/** The conditions in words. Empty for an ordinary service. */
export function conditionsInWords(conditions: Conditions): string {
  const { lateReads, lateLists, lateAudit, mayReadAudit, logsTargets, dateAheadSeconds } = conditions;
  const words = [
    lateReads > 0 && `new objects answer 404 for ${lateReads} s`,
    lateLists > 0 && `lists are ${lateLists} s late`,
    lateAudit > 0 && `the audit log is ${lateAudit} s late`,
    !mayReadAudit && "the key may not read the audit log",
    !logsTargets && "the audit log names no targets",
    dateAheadSeconds !== 0 && `the service's Date is ${dateAheadSeconds} s ahead of its objects'`,
    conditions.idsChangeCase && "reads show ids in upper case",
    conditions.emptyPages && "lists begin with an empty page",
  ].filter((word) => word !== false);
  return words.length === 0 ? "" : `The service: ${words.join(", ")}.`;
}

/** The configuration of a run. */
export function settingsOf(
  { asksCosts, versions }: Schedule,
  { proxy, service }: Pick<TestBed, "proxy" | "service">,
  { spelling, apiKey }: Pick<Version, "spelling"> & { readonly apiKey: string },
): Record<string, string> {
  const { url, port } = proxy;
  const spellings = [url, `${url}/`, `http://localhost:${port}`, `http://LOCALHOST:${port}/`];
  return {
    baseUrl: spellings[spelling % spellings.length] ?? url,
    apiKey,
    projectId: service.projectId,
    region: REGION,
    costQuotes: String(asksCosts),
    preflight: asksCosts ? "fail" : "off",
    operationTimeout: "2m",
    // Real time. Short only if a request gets no answer.
    requestTimeout: hasUnanswered({ versions }) ? "300ms" : "10s",
  };
}

/** True if a request gets no answer. */
export function hasUnanswered({ versions }: Pick<Schedule, "versions">): boolean {
  return versions.some(({ faults }) => faults.some(({ effect }) => effect.kind === "no answer in time"));
}
