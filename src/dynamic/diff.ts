import { isDeepStrictEqual } from "node:util";
import { changeLine, unpriced } from "../cost/quote-line";
import { decimal, decimalText, dollars } from "../cost/money";
import { parseId } from "./adoption";
import { guardOwnCredential, retiredToDelete } from "./own-credential";
import { changedFields } from "./change-policy";
import { orUndefined } from "./created-object";
import { containsUnknown } from "./engine-values";
import { adoptionOf, hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { costOf } from "./outputs";
import { pricedPolicies } from "./proposed-cost";
import type { Run } from "./run";
import { begin, callOf } from "./settle";
import { wireUpdateOf } from "./wire-update";
import { whatOf } from "./what";

/** What diff answers to the engine. `changes` undefined lets the engine compare old and new inputs itself, field by field. */
export interface DiffAnswer {
  readonly changes?: boolean;
  readonly replaces?: string[];
  readonly deleteBeforeReplace?: boolean;
}

/** Compares the outputs with the new inputs by each field's policy, and tells what an update in place would cost. */
export async function diff(kind: ResourceKind, run: Run, id: string, olds: Props, news: Props): Promise<DiffAnswer> {
  const { urn } = hiddenOf(news);
  run.memory.note(urn, { id, outputs: olds });
  await run.journal.seen(urn, id);
  const seen = run.memory.of(urn);

  const now = run.api.serverNow();
  const changed = changedFields(kind.policies, olds, news, now);
  const replaces = changed.filter((field) => kind.policies[field]?.change === "replace");
  const adopt = adoptionOf(news["adopt"]);
  const adoptsAnother =
    adopt !== undefined && parseId(kind, adopt.id).id !== id && adoptionOf(olds["adopt"]) === undefined;
  if (adoptsAnother && seen) replaces.push("adopt");
  const isBroken = await isBeyondRepair(kind, run, id, olds);
  if (isBroken) replaces.push("status");
  const sweeps = retiredToDelete(kind, run, olds);
  if (sweeps.length > 0 && seen?.dryRun === true) {
    await run.rows.line(
      urn,
      "info",
      `deletes what it has replaced and nothing signs in with any more: ${sweeps.join(", ")}`,
    );
  }
  if (changed.length === 0 && replaces.length === 0) {
    // Nothing for the API, and yet a later destroy goes by them: the engine sees them differ, and has them saved.
    if (seen?.previous && !isDeepStrictEqual(hiddenOf(seen.previous).timeouts, hiddenOf(news).timeouts)) return {};
    return { changes: sweeps.length > 0 };
  }
  if (seen?.dryRun === true)
    await guardOwnCredential(kind, run, { id, urn, olds, news, isReplaced: replaces.length > 0 });

  if (replaces.length === 0 && seen?.dryRun === true && run.settings.costQuotes) {
    await tellUpdateCost(kind, run, { id, urn, changed, olds, news });
  }
  // The engine compares inputs with inputs. Where only the object at the API differs, it has to be told.
  const visibleToEngine =
    !isBroken &&
    (seen?.previous === undefined ||
      adoptsAnother ||
      changedFields(kind.policies, seen.previous, news, now).length > 0);
  return { ...(visibleToEngine ? {} : { changes: true }), replaces, deleteBeforeReplace: false };
}

/**
 * Whether it was never ready, and the API shows it as broken or no more: waiting leads nowhere, a new one does. The state
 * may be older than its end.
 */
async function isBeyondRepair(kind: ResourceKind, run: Run, id: string, olds: Props): Promise<boolean> {
  if (!hiddenOf(olds).halfMade) return false;
  if (olds["status"] === "error") return true;
  const call = callOf(begin(kind, run, olds, "read"));
  const wire = await orUndefined(() => kind.handler(run.api).get(id, visibleOf(olds), call));
  return wire === undefined || wire["status"] === "error";
}

interface ProposedUpdate {
  readonly id: string;
  readonly urn: string;
  readonly changed: readonly string[];
  readonly olds: Props;
  readonly news: Props;
}

/** The API's own before, after and difference for an update in place, on the resource's row. */
async function tellUpdateCost(kind: ResourceKind, run: Run, proposed: ProposedUpdate): Promise<void> {
  const { id, urn, changed, olds, news } = proposed;
  const unknown = changed.filter((field) => containsUnknown(news[field]));
  const pricedUnknown = unknown.filter((field) => field in pricedPolicies(kind));
  if (pricedUnknown.length > 0) {
    const reason = `${pricedUnknown.join(" and ")} not known yet`;
    return run.rows.line(urn, "info", unpriced({ status: "unknown", reason }));
  }
  const known = changed.filter((field) => !unknown.includes(field));
  const inputs: Props = { ...visibleOf(news), ...Object.fromEntries(unknown.map((field) => [field, olds[field]])) };
  const body = wireUpdateOf(kind, inputs, known, run.api.serverNow());
  if (Object.keys(body).length === 0) return; // nothing of it reaches the API
  const quote = await run.quoter.attempt((call) =>
    kind.handler(run.api).quoteUpdate(id, inputs, body, { ...call, what: whatOf("quote", kind, urn) }),
  );
  if (quote.status !== "answered") return run.rows.line(urn, "info", unpriced(quote));

  const { answer } = quote;
  const before = decimal(answer.before.monthly_total);
  const after = decimal(answer.after.monthly_total);
  await run.rows.line(urn, "info", changeLine(before, after));
  const difference = decimal(answer.diff.monthly_total_delta);
  if (!after.minus(before).equals(difference)) {
    const text = `the service's quote does not add up: it says the difference is ${decimalText(difference)}/mo`;
    await run.rows.line(urn, "warning", text);
  }
  const expected = costOf(news);
  if (expected !== undefined && !decimal(expected.monthlyTotal).equals(after)) {
    const text = `the quote for this update says ${dollars(after)}/mo, the resource's cost ${dollars(decimal(expected.monthlyTotal))}/mo`;
    await run.rows.line(urn, "warning", text);
  }
}
