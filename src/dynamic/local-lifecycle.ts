import { isDeepStrictEqual } from "node:util";
import { failureOf, warn, type CheckAnswer } from "./check";
import type { DiffAnswer } from "./diff";
import { withoutUndefined } from "./engine-values";
import { hiddenOf, logicalNameOf, visibleOf } from "./hidden-inputs";
import type { Props } from "./kind";
import type { Lifecycle } from "./lifecycle";
import type { LocalKind } from "./local-kind";
import type { Run } from "./run";

/** The lifecycle of a kind without an object at the API: what check has made is all there is. */
export function localLifecycleOf(kind: LocalKind, run: () => Run): Lifecycle {
  return {
    check: (olds, news) => checkLocal(kind, run(), olds, news),
    diff: (_id, olds, news) => Promise.resolve(diffLocal(olds, news)),
    create: (inputs) => Promise.resolve({ id: logicalNameOf(hiddenOf(inputs).urn), outs: { ...inputs } }),
    read: (id, props) => Promise.resolve({ id, props: { ...props }, inputs: { ...props } }),
    update: (_id, _olds, news) => Promise.resolve({ outs: { ...news } }),
    delete: () => Promise.resolve(),
  };
}

async function checkLocal(kind: LocalKind, run: Run, olds: Props, news: Props): Promise<CheckAnswer> {
  const { urn, dryRun } = hiddenOf(news);
  const { previous } = run.memory.begin(urn, olds, dryRun);
  const given = withoutUndefined(visibleOf(news));
  const plan = await kind.plan(given, { previous, serviceTime: () => run.serviceTime(urn) });
  const inputs = withoutUndefined({ ...given, ...plan.inputs, __urn: urn });
  const failures = plan.findings.filter(({ severity }) => severity === "failure").map(failureOf);
  if (failures.length > 0) return { inputs, failures };
  await warn(run, urn, plan.findings);
  if (plan.reason !== undefined) await run.rows.line(urn, "info", plan.reason);
  return { inputs, failures };
}

/** A change of hidden inputs alone is none; any other is the engine's to show, input by input. */
function diffLocal(olds: Props, news: Props): DiffAnswer {
  return isDeepStrictEqual(visibleOf(olds), visibleOf(news)) ? { changes: false } : {};
}
