import { ConfigurationError } from "../../api/errors";
import { listed } from "../../text/terminal-text";
import type { Region } from "../../api/schema";
import type { Credential } from "../../api/client";
import { fault, line, type DoctorLine } from "./doctor-report";
import type { SignIn } from "./sign-in";
import type { SettingFault, Settings } from "../../settings/config";
import type { findSetting } from "../../engine/settings-list";
import { skewText, TOLERATED_SKEW_MS } from "../../time/clock";
import { configurationFaults } from "../../settings/config-faults";
import type { StackConfig } from "../pulumi/stack";
import { createHash } from "node:crypto";

/** A setting with its source. Undefined if it is not set. */
export type Setting = ReturnType<typeof findSetting>;
/** Finds a setting in the configuration or the environment, even a wrong one. */
type Find = (key: "apiKey" | "baseUrl" | "dialect" | "projectId" | "region") => Setting;

/** Smaller differences mean nothing, because the API's time has whole seconds. */
const CLOCK_GRAIN_MS = 1_500;
export const MAX_NAMES = 10;

/** The stack and its configuration. A missing configuration is only a fault if the user has named the stack. */
export function stackLine(config: StackConfig, project: string | undefined, isNamed: boolean): DoctorLine {
  const nameOf = (stack: string): string =>
    project === undefined || stack.includes("/") ? stack : `${project}/${stack}`;
  switch (config.status) {
    case "read": {
      const name = config.stack === undefined ? "the selected one" : nameOf(config.stack);
      return line("ok", "stack", `${name}, its configuration is read`);
    }
    case "absent":
      return { ...line("unknown", "stack", `${config.reason}: only the environment is read`), isFault: isNamed };
    case "unreadable":
      return fault("stack", `cannot be read: ${config.reason}`);
  }
}

export function credentialLine({ credential, result }: SignIn): DoctorLine {
  const [verdict, outcome] = (
    { accepted: ["ok", "accepted"], refused: ["no", "refused"], failed: ["unknown", "not judged"] } as const
  )[result.status];
  const advice = "error" in result ? [result.error.message] : [];
  return {
    ...line(verdict, "credential", `${describe(credential)}: ${outcome}`, advice),
    isFault: advice.length > 0,
  };
}

/** Says whether and how fast the API answered. */
export function serviceLine({ result, isAnswered }: SignIn): DoctorLine {
  if (result.status === "accepted") return line("ok", "service", `answered in ${Math.round(result.tookMs)} ms`);
  if (result.status === "refused") return line("ok", "service", "answers");
  if (result.error instanceof ConfigurationError) return line("unknown", "service", "not asked, see below");
  const finding = isAnswered ? "answers, but not as it should, see below" : "no answer, see below";
  return line("no", "service", finding);
}

/** The difference between this machine's clock and the API's. Empty if the API did not answer. */
export function clockLines({ skewMs }: SignIn): readonly DoctorLine[] {
  if (skewMs === undefined) return [];
  const differenceMs = Math.abs(skewMs);
  if (differenceMs <= CLOCK_GRAIN_MS) return [line("ok", "clock", "agrees with the API's")];
  const finding = `this machine's is ${skewText(skewMs)}`;
  if (differenceMs <= TOLERATED_SKEW_MS) return [line("ok", "clock", finding)];
  const effect =
    "The provider uses the API's, but dates that a program computes are wrong by the same time. Set this machine's clock";
  return [line("unknown", "clock", `${finding}. ${effect}`)];
}

/** The regions that the API lists, with the availability of those that are not live. */
export function regionsLine(regions: readonly Region[]): DoctorLine {
  if (regions.length === 0) return line("unknown", "regions", "none can be reached");
  const names = regions.map(({ name, availability }) =>
    availability === undefined || availability === "live" ? name : `${name} (availability: ${availability})`,
  );
  return line("ok", "regions", listed(names, MAX_NAMES));
}

/**
 * The project or region of the resources and functions that name none, and where it is set. `known`: those that the API
 * lists.
 */
export function defaultLine(key: "projectId" | "region", configured: Setting, known: readonly unknown[]): DoctorLine {
  const subject = key === "projectId" ? "default project" : "default region";
  if (configured === undefined) return line("unknown", subject, "none: each resource and function must name one");
  const { value, source } = configured;
  if (known.includes(value)) return line("ok", subject, `${value}, from ${source}`);
  return fault(subject, `cloudinfra:${key} is ${value}, which is none of them`);
}

/** The first eight hex digits of a key's SHA-256 show whether two keys are the same, without showing either. */
function describe({ source, apiKey }: Credential): string {
  return `${source}, fingerprint ${createHash("sha256").update(apiKey).digest("hex").slice(0, 8)}`;
}

export function baseUrlLine(verdict: DoctorLine["verdict"], find: Find): DoctorLine {
  const found = find("baseUrl");
  return line(verdict, "base URL", found ? `${baseUrlShown(found.value)}, from ${found.source}` : "none");
}

/** A base URL without a possible password. */
export function baseUrlShown(text: string): string {
  if (!URL.canParse(text)) return "not a URL";
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Misspelled settings, and a credential in plain text. A program may still work. */
export function configurationLines(stackConfig: StackConfig, project: string | undefined): readonly DoctorLine[] {
  if (stackConfig.status !== "read") return [];
  const advice = configurationFaults(stackConfig.entries, project).map(({ reason }) => reason);
  if (advice.length === 0) return [];
  const count = advice.length === 1 ? "one entry" : `${advice.length} entries`;
  return [fault("configuration", `${count} to correct, see below`, advice)];
}

/** Says whether the audit log can prove what the stack has made. Empty without a stack. */
export function stackIdLines({ stackId, adoptOwn }: Settings, { status }: StackConfig): readonly DoctorLine[] {
  if (status !== "read") return [];
  if (stackId !== undefined)
    return [line("ok", "stack id", "set: if the state is lost, one run can take over what the stack has made with it")];
  if (adoptOwn)
    return [
      fault("stack id", "none: adoptOwn needs the one with which the stack made its objects", [
        "Set cloudinfra:stackId to that one, or run without the setting adoptOwn.",
      ]),
    ];
  const advice =
    "Give the stack an id, and commit its file: `pulumi config set cloudinfra:stackId $(node -p 'crypto.randomUUID()')`.";
  return [line("unknown", "stack id", "none: if the state is lost, nothing proves what the stack has made", [advice])];
}

/** The dialect, and the reason for it. */
export function dialectLine({ dialect }: Settings, find: Find): DoctorLine {
  const found = find("dialect");
  return line("ok", "dialect", `${dialect}, ${found ? `from ${found.source}` : "as the base URL suggests"}`);
}

/** The settings that exist, and their faults. */
export function faultLines(find: Find, faults: readonly SettingFault[]): readonly DoctorLine[] {
  const key = find("apiKey");
  const isWrongUrl = faults.some(({ key: of }) => of === "baseUrl");
  const reasons = faults.map(({ reason }) => reason);
  return [
    key === undefined
      ? line("no", "credential", "none")
      : line("unknown", "credential", describe({ source: key.source, apiKey: key.value })),
    { ...baseUrlLine(isWrongUrl ? "no" : "unknown", find), advice: reasons, isFault: true },
    ...(key && find("baseUrl") ? [line("no", "settings", "one of them is wrong, see below")] : []),
  ];
}
