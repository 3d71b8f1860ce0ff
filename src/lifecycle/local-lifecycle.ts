import { isDeepStrictEqual } from "node:util";
import { failureOf, warn, type CheckAnswer } from "./check";
import type { DiffAnswer } from "./diff";
import { withoutUndefined } from "./engine-values";
import { hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props } from "./kind";
import type { Lifecycle } from "./lifecycle";
import type { LocalKind } from "./local-kind";
import type { Run } from "./run";
import { urnParts } from "../urn";

/** The lifecycle of a kind without an object at the API: what check has made is all there is. */
export function localLifecycleOf(kind: LocalKind, run: () => Run): Lifecycle {
  return {
    check: (olds, news) => checkLocal(kind, run(), olds, news),
    diff: (_id, olds, news) => Promise.resolve(diffLocal(kind, olds, news)),
    create: (inputs) => Promise.resolve({ id: urnParts(hiddenOf(inputs).urn).name, outs: ofThisRun(run(), inputs) }),
    read: (id, props) => Promise.resolve({ id, props: { ...props }, inputs: { ...props } }),
    update: (_id, _olds, news) => Promise.resolve({ outs: ofThisRun(run(), news) }),
    delete: () => Promise.resolve(),
  };
}

/** The outputs carry the mark of the program that they were made for; the inputs a constant, so that update plans hold. */
function ofThisRun(run: Run, inputs: Props): Record<string, unknown> {
  const mark = run.memory.of(hiddenOf(inputs).urn)?.mark;
  return mark === undefined ? { ...inputs } : { ...inputs, __run: mark };
}

async function checkLocal(kind: LocalKind, run: Run, olds: Props, news: Props): Promise<CheckAnswer> {
  const { urn, dryRun } = hiddenOf(news);
  const { previous } = run.memory.begin(urn, olds, dryRun);
  const mark = typeof news["__run"] === "string" ? news["__run"] : undefined;
  run.memory.note(urn, { mark });
  const given = withoutUndefined(visibleOf(news));
  const plan = await kind.plan(given, {
    previous,
    serviceTime: () => run.serviceTime(urn),
    run,
    urn,
    dryRun,
    registered: news["__registered"],
  });
  const inputs = withoutUndefined({ ...given, ...plan.inputs, __urn: urn, __run: mark && "" });
  const failures = plan.findings.filter(({ severity }) => severity === "failure").map(failureOf);
  if (plan.line !== undefined) await run.rows.line(urn, "info", plan.line);
  await warn(run, urn, plan.findings);
  return { inputs, failures };
}

/** A change of hidden inputs alone is none; any other is the engine's to show, input by input. */
function diffLocal(kind: LocalKind, olds: Props, news: Props): DiffAnswer {
  const lasting = (props: Props): Props =>
    Object.fromEntries(Object.entries(visibleOf(props)).filter(([field]) => !kind.ofOneRun?.includes(field)));
  return isDeepStrictEqual(lasting(olds), lasting(news)) ? { changes: false } : {};
}
