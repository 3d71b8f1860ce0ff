import { isDeepStrictEqual } from "node:util";
import { anything } from "../../definition/field";
import { unknownArguments } from "../../definition/findings";
import { urnParts } from "../../engine/urn";
import { isFailure } from "../../definition/rule-context";
import { reportWarnings } from "../report-findings";
import { withoutUndefined } from "../../engine/values";
import type { Props } from "../kind/kind";
import type { LocalKind } from "./local-kind";
import {
  type CheckAnswer,
  type DiffAnswer,
  type Lifecycle,
  NO_MEMORY,
  type ResourceRequest,
  type ResourceState,
} from "../resource-request";
import type { Run } from "../run/run";

/** The lifecycle of a kind without an object at the API: the values come from check. */
export function localLifecycleOf(kind: LocalKind, run: () => Run): Lifecycle {
  return {
    check: (request) => checkLocal(kind, run(), request),
    diff: (request) => Promise.resolve(diffLocal(kind, run(), request)),
    create: (request) => Promise.resolve({ id: urnParts(request.urn).name, state: ofThisRun(run(), request) }),
    read: (request) =>
      Promise.resolve({ id: request.id, outputs: stateOf(request), inputs: ofNoRun(stateOf(request)) }),
    update: (request) => Promise.resolve({ state: ofThisRun(run(), request) }),
    delete: () => Promise.resolve(),
  };
}

function stateOf({ urn, inputs, memory }: ResourceRequest): ResourceState {
  return { urn, props: inputs, memory };
}

/**
 * The inputs have a constant instead of the mark, because update plans need inputs that do not change from run to run.
 */
function ofNoRun(state: ResourceState): ResourceState {
  return { ...state, memory: { ...state.memory, mark: state.memory.mark && "" } };
}

/** The outputs have the mark of the program that they were made for. */
function ofThisRun(run: Run, request: ResourceRequest): ResourceState {
  const { urn, props, memory } = stateOf(request);
  return { urn, props, memory: { ...memory, mark: run.memory.of(urn)?.program.memory.mark ?? memory.mark } };
}

async function checkLocal(kind: LocalKind, run: Run, request: ResourceRequest): Promise<CheckAnswer> {
  const { urn, isPreview, memory, registered } = request;
  run.saved.noteProgram();
  const { previous, replaced } = run.memory.begin(request); // a forced replacement continues from the old values
  const given = withoutUndefined(request.inputs);
  const plan = await kind.plan(given, {
    previous: (previous ?? replaced)?.props,
    apiTime: () => run.apiTime(urn),
    run,
    urn,
    isPreview,
    registered,
  });
  const props = withoutUndefined({ ...given, ...plan.inputs });
  const outputs = Object.fromEntries(kind.fields.map((name) => [name, anything()]));
  const unknown = unknownArguments(kind.type, { ...outputs, ...kind.args }, given);
  const findings = [...unknown, ...plan.findings.filter(isFailure)];
  if (plan.line !== undefined && unknown.length === 0) await run.rows.line(urn, "info", plan.line);
  await reportWarnings(run, urn, plan.findings);
  return { state: ofNoRun({ urn, props, memory: { ...NO_MEMORY, mark: memory.mark } }), findings };
}

/**
 * If only the memory differs, there is no change. The engine itself shows any other change, input by input. Outputs
 * that belong to one run (`ofOneRun`) count only if they say something. Then they are saved even if they equal the
 * former ones. This holds only if the program marks its runs, so that it recognizes outputs of an earlier run.
 */
function diffLocal(kind: LocalKind, run: Run, { urn, inputs, memory, last }: ResourceRequest): DiffAnswer {
  const ofOneRun = memory.mark === undefined ? undefined : kind.ofOneRun;
  // A refresh, which has no program, compares the inputs of the last run.
  const hasNews = run.memory.of(urn) !== undefined && ofOneRun?.isNone(inputs) === false;
  const comparable = (props: Props): Props => {
    const all = Object.entries(kind.oneSpelling?.(props) ?? props);
    return Object.fromEntries(all.filter(([field]) => hasNews || ofOneRun?.fields.includes(field) !== true));
  };
  return isDeepStrictEqual(comparable(last?.props ?? {}), comparable(inputs)) ? { changes: hasNews } : {};
}
