import type { RetirementRule } from "../../src/definition/capabilities";
import type { KeyUser, KeyUses } from "../../src/lifecycle/credential/key-uses";
import { retirement, type Retirement, type WaitingKey } from "../../src/lifecycle/credential/retirement";
import { at, DAY_MS } from "./support";

const NOW = at("2026-08-10T00:00:00Z");
const rule: RetirementRule = {
  whenQuietFor: { text: "2d", ms: 2 * DAY_MS },
  atLatest: { text: "14d", ms: 14 * DAY_MS },
};
const ago = (days: number): number => NOW - days * DAY_MS;
const user = (days: number, address = "10.0.0.7", userAgent = "ci/1.0", count = 1): KeyUser => ({
  ...{ actor: { id: "key", name: "key", type: "api_key" }, address, userAgent, count },
  lastUsedAt: ago(days),
});
const usedAgo = (lastDays: number, ...users: KeyUser[]): KeyUses => ({ users, lastUsedAt: ago(lastDays) });
const verdict = (uses: KeyUses, replacedDays = 5, more: Partial<WaitingKey> = {}): Retirement =>
  retirement(rule, { replacedAt: ago(replacedDays), expiresAt: undefined, ...more }, uses, NOW);

it.each<readonly [string, KeyUses, number, boolean]>([
  ["last seen before its replacement", usedAgo(6), 5, true],
  ["quiet for exactly the time since its replacement", usedAgo(6), 2, true],
  ["quiet, but replaced a moment ago", usedAgo(6), 1.999, false],
  ["last used exactly that long ago", usedAgo(2, user(2)), 5, true],
  ["used since", usedAgo(1.999, user(1.999)), 5, false],
  ["used by one of two", usedAgo(1, user(1), user(4)), 5, false],
  ["never seen", { users: [], lastUsedAt: undefined }, 5, false],
  ["with an unreadable log", { unread: "no" }, 5, false],
  ["never seen, at its latest", { users: [], lastUsedAt: undefined }, 14, true],
  ["with an unreadable log, at its latest", { unread: "no" }, 14, true],
  ["used without an end, at its latest", usedAgo(0, user(0)), 14, true],
])("decides whether a key is due: %s", (_title, uses, replacedDays, goes) => {
  expect(verdict(uses, replacedDays).isDue).toBe(goes);
});

it("makes an expired key due", () => {
  expect(verdict(usedAgo(0, user(0)), 1, { expiresAt: NOW })).toMatchObject({ isDue: true, until: NOW });
});

it("waits no longer than the key lives", () => {
  expect(verdict(usedAgo(0), 5, { expiresAt: ago(-3) }).until).toBe(ago(-3));
  expect(verdict(usedAgo(0), 5, { expiresAt: ago(-30) }).until).toBe(ago(5 - 14));
});

it("names clients, and how they have used it", () => {
  const users = [user(0, "10.0.0.7", "ci/1.0", 12), user(1, "10.0.0.8", "")];
  expect(verdict(usedAgo(0, ...users)).reason).toBe(
    "since its replacement it was used by 10.0.0.7 (ci/1.0, 12 requests, the last on 2026-08-10T00:00:00Z) and " +
      "10.0.0.8 (no user agent, 1 request, the last on 2026-08-09T00:00:00Z)",
  );
});

it("says when a just replaced key can become quiet", () => {
  expect(verdict(usedAgo(6), 0).reason).toBe(
    "the audit log shows no request of it since 2026-08-04T00:00:00Z. It is quiet on 2026-08-12T00:00:00Z, 2d after its replacement",
  );
});

it("says times to the second", () => {
  expect(verdict(usedAgo(0, user(-0.001 / 86_400))).reason).toContain("the last on 2026-08-10T00:00:00Z)");
});

it("names three of many clients", () => {
  const users = [1, 2, 3, 4, 5].map((host) => user(0, `10.0.0.${host}`));
  expect(verdict(usedAgo(0, ...users)).reason).toMatch(/10\.0\.0\.3 \([^)]*\) and 2 more$/);
});
