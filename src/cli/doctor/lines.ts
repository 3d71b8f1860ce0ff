import ms from "ms";
import { ConfigurationError } from "../../api/errors";
import type { Region } from "../../api/lookup-schemas";
import type { Credential } from "../../api/client";
import type { Line } from "./report";
import type { SignIn } from "./sign-in";
import type { StackConfig } from "../pulumi/stack-config";
import { createHash } from "node:crypto";

/** A larger difference of the clocks matters, because the service's clock judges keys that start or end about now. */
const TOLERATED_SKEW_MS = 5 * 60_000;
/** The service's time has whole seconds. */
const CLOCK_GRAIN_MS = 1_500;
const MOST_NAMES = 10;

export function stackLine(config: StackConfig, project: string | undefined): Line {
  const subject = "stack";
  const nameOf = (stack: string): string =>
    project === undefined || stack.includes("/") ? stack : `${project}/${stack}`;
  switch (config.status) {
    case "read":
      return {
        verdict: "ok",
        subject,
        finding: `${config.stack === undefined ? "the selected one" : nameOf(config.stack)}, its configuration is read`,
      };
    case "absent":
      return { verdict: "unknown", subject, finding: `${config.reason}: only the environment is read` };
    case "unreadable":
      return { verdict: "no", subject, finding: `its configuration cannot be read: ${config.reason}` };
  }
}

export function credentialLine({ credential, result }: SignIn): Line {
  const [verdict, outcome] = (
    { accepted: ["ok", "accepted"], refused: ["no", "refused"], failed: ["unknown", "not judged"] } as const
  )[result.status];
  return { verdict, subject: "credential", finding: `${describe(credential)}: ${outcome}` };
}

/** A credential that was not needed. */
export function spareLine(credential: Credential): Line {
  return {
    verdict: "unknown",
    subject: "credential",
    finding: `${describe(credential)}: not tried: it counts only if the one above is refused`,
  };
}

/** Whether and how fast the API answered. */
export function serviceLine({ result, skewMs }: SignIn): Line {
  const subject = "service";
  if (result.status === "accepted") {
    return { verdict: "ok", subject, finding: `answered in ${Math.round(result.tookMs)} ms` };
  }
  if (result.status === "refused") return { verdict: "ok", subject, finding: "answers" };
  if (result.error instanceof ConfigurationError)
    return { verdict: "unknown", subject, finding: "not asked, see below" };
  const finding = skewMs === undefined ? "no answer, see below" : "answers, but not as it should, see below";
  return { verdict: "no", subject, finding };
}

/** The difference between this machine's clock and the service's. Nothing if the service did not answer. */
export function clockLines({ skewMs }: SignIn): readonly Line[] {
  if (skewMs === undefined) return [];
  const subject = "clock";
  const apartMs = Math.abs(skewMs);
  if (apartMs <= CLOCK_GRAIN_MS) return [{ verdict: "ok", subject, finding: "agrees with the service's" }];
  const finding = `this machine's is ${ms(apartMs, { long: true })} ${skewMs > 0 ? "behind" : "ahead of"} the service's`;
  return apartMs <= TOLERATED_SKEW_MS
    ? [{ verdict: "ok", subject, finding }]
    : [
        {
          verdict: "no",
          subject,
          finding: `${finding}: the service may refuse dates from this machine. Set the clock`,
        },
      ];
}

/** The regions, and whether the configured one is among them. */
export function regionLines(regions: readonly Region[], configured: string | undefined): readonly Line[] {
  const names = regions.map(({ name, availability }) => (availability === "live" ? name : `${name} (${availability})`));
  const subject = "regions";
  const line: Line =
    names.length === 0
      ? { verdict: "no", subject, finding: "none can be reached" }
      : { verdict: "ok", subject, finding: listed(names) };
  if (configured === undefined || regions.some(({ name }) => name === configured)) return [line];
  const finding = `cloudinfra:region is ${configured}, which is none of them`;
  return [line, { verdict: "no", subject: "default region", finding }];
}

export function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function describe({ source, apiKey }: Credential): string {
  return `${source}, fingerprint ${fingerprint(apiKey)}`;
}

/** Shows whether two API keys are the same, without showing either: the first eight hex digits of the key's SHA-256. */
export function fingerprint(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex").slice(0, 8);
}
