import { formatTimestamp, oneYearAfter, startOfUtcDay } from "../model/timestamp";
import type { Report } from "./validation";

/** The rules on a key's window (section 5.6): it ends in the future, within a year of its start, and starts today or later. */
export function windowRules(nowMs: number) {
  return (members: { expires_at?: string | undefined; starts_at?: string | undefined }, report: Report): void => {
    const startsAtMs = members.starts_at === undefined ? undefined : Date.parse(members.starts_at);
    const expiresAtMs = members.expires_at === undefined ? undefined : Date.parse(members.expires_at);
    if (startsAtMs !== undefined) {
      if (startsAtMs < startOfUtcDay(nowMs)) report("starts_at", "must be today or later");
      if (expiresAtMs !== undefined && startsAtMs >= expiresAtMs) report("starts_at", "must be before expires_at");
    }
    if (expiresAtMs !== undefined) {
      if (expiresAtMs <= nowMs) report("expires_at", "must be in the future");
      const latestMs = oneYearAfter(startsAtMs ?? nowMs);
      if (expiresAtMs > latestMs) report("expires_at", `must be within one year, by ${formatTimestamp(latestMs)}`);
    }
  };
}
