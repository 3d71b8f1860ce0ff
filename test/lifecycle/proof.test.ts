import type { AuditLog } from "../../src/api/lists/audit-log";
import type { AuditLogView } from "../../src/lifecycle/recovery/audit-log-reader";
import { provenBy, type CreationOutcome, type SentCreation } from "../../src/lifecycle/recovery/ownership";
import { sampleAuditLog } from "../api/support/samples";

const HOUR_MS = 3_600_000;
const sent: SentCreation = {
  token: "token",
  sentAt: 0,
  livedAt: 0,
  agoHereMs: HOUR_MS,
  isSameKey: true,
};

/** The proof by entries of the log, newest first. By default the log is young, so only its entries count. */
function proof(
  entries: readonly Partial<AuditLog>[],
  view: Partial<AuditLogView> = {},
  creation: Partial<SentCreation> = {},
) {
  const log = {
    readAt: 1,
    isComplete: true,
    hasTokens: true,
    sentWith: () => entries.map((entry) => ({ ...sampleAuditLog(), ...entry })),
    ...view,
  };
  return provenBy(log, { ...sent, ...creation });
}

const nothing: CreationOutcome = { status: "nothing" };
const unclear = { status: "unclear", mayShowLater: true };

it("the log proves the objects that it shows", () => {
  const entries = ["b", "A", "a"].map((id) => ({ status_code: 201, target: { id, type: "vm" } }));
  expect(proof([...entries, { status_code: 503 }])).toEqual({ status: "made", ids: ["A", "b"] });
});

it("a success without a target proves a creation", () => {
  const proven = { status: "unclear", isMade: true, mayShowLater: false };
  expect(proof([{ status_code: 200 }, { status_code: 400 }], { readAt: 2 * HOUR_MS })).toMatchObject(proven);
});

it.each([400, 403, 422, 499])("proves by %i that nothing was made", (status_code) => {
  expect(proof([{ status_code }])).toEqual(nothing);
  expect(proof([{ status_code }, { status_code: 503 }], { isComplete: false })).toEqual(nothing);
});

it.each([
  [["a", "A"], unclear, nothing],
  [["b", "a"], { status: "made", ids: ["b"] }, { status: "made" }],
  [[undefined], unclear, nothing],
  [[undefined, undefined], { status: "unclear", isMade: true }, { status: "unclear" }],
  [[], unclear, unclear],
])("shows what other attempts than that of A made, now and an hour later: %j", (ids, now, later) => {
  const entries = ids.map((id) => ({ status_code: 201, ...(id !== undefined && { target: { id, type: "vm" } }) }));
  const proofAt = (readAt: number): CreationOutcome =>
    proof(entries, { readAt, isComplete: false }, { madeIds: ["A"] });
  expect(proofAt(1)).toMatchObject(now);
  expect(proofAt(HOUR_MS)).toMatchObject(later);
});

it.each<Partial<SentCreation>>([{ wasSentAgain: true }, { madeIds: ["A"] }])(
  "proves nothing by the refusal of one of %j",
  (attempts) => {
    expect(proof([{ status_code: 403 }], {}, attempts)).toMatchObject(unclear);
    expect(proof([{ status_code: 403 }], { readAt: HOUR_MS }, attempts)).toEqual(nothing);
  },
);

it("proves only a conflict by 409 until an hour has passed", () => {
  expect(proof([{ status_code: 409 }])).toEqual({ status: "conflict" });
  expect(proof([{ status_code: 409 }], { readAt: HOUR_MS })).toEqual(nothing);
});

it.each([302, 401, 408, 423, 424, 425, 429, 500, 503])(
  "proves nothing by %i, which is repeated or follows another delivery",
  (status_code) => expect(proof([{ status_code }])).toMatchObject(unclear),
);

it.each<[string, Partial<AuditLogView>, Partial<SentCreation>, object]>([
  ["an hour later by both clocks", {}, {}, nothing],
  ["less than an hour after its last sign of life", { readAt: HOUR_MS - 1 }, {}, unclear],
  ["less than an hour later by this machine's clock", {}, { agoHereMs: HOUR_MS - 1 }, unclear],
  ["an hour later, but not read to its end", { isComplete: false }, {}, unclear],
  ["an hour later, with another key", {}, { isSameKey: false }, unclear],
  ["an hour later, nor any token", { hasTokens: false }, {}, unclear],
])("evaluates an empty log %s", (_when, view, creation, outcome) => {
  expect(proof([], { readAt: HOUR_MS, ...view }, creation)).toMatchObject(outcome);
});

it("proves nothing by an error of the API", () => {
  expect(proof([{ status_code: 500 }], { readAt: HOUR_MS })).toMatchObject(unclear);
});
