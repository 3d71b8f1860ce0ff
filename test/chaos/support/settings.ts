import type { Laboratory } from "./laboratory";
import { REGION } from "./neighbours";
import type { Schedule, Version } from "./schedule";

/** The configuration of a run. */
export function settingsOf(
  { asksCosts, versions }: Schedule,
  { proxy, service }: Pick<Laboratory, "proxy" | "service">,
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
    // Real time: short only if a request is left without an answer.
    requestTimeout: hasUnanswered({ versions }) ? "300ms" : "10s",
  };
}

/** Whether a request is left without an answer. */
export function hasUnanswered({ versions }: Pick<Schedule, "versions">): boolean {
  return versions.some(({ faults }) => faults.some(({ effect }) => effect.kind === "no answer in time"));
}
