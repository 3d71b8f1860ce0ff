import { InitFailedError, shownText } from "../lifecycle/errors";
import { isRecord } from "../definition/compare-values";
import { answeredInputs, secretTexts } from "../engine/values";
import { type Props, type ResourceKind, secretNames } from "../lifecycle/kind/kind";
import { lifecycleOf } from "../lifecycle/lifecycle";
import type { LocalKind } from "../lifecycle/local/local-kind";
import { urlSpelling } from "../journal/address";
import type { DiffAnswer, ResourceRequest, ResourceState } from "../lifecycle/resource-request";
import type { Run } from "../lifecycle/run/run";
import { maskInput } from "../text/redaction";
import { findingText } from "../definition/rule-context";
import { propsFromState, requestFromProps } from "../state/kept-state";
import { keptPaths, withPaths } from "../state/secret-paths";
import { dynamicUrn, resourceKey } from "../engine/urn";
import { programFactsOf, type PropertyPath } from "../engine/program-facts";

/**
 * The calls of the engine's plugin for one kind: `pulumi.dynamic.ResourceProvider` with our types. An answer of read
 * without an id means that the object no longer exists, which the interface does not say.
 */
export interface PluginCalls {
  readonly check: (olds: Props, news: Props) => Promise<CheckedProps>;
  readonly diff: (id: string, olds: Props, news: Props) => Promise<DiffAnswer>;
  readonly create: (inputs: Props) => Promise<{ readonly id: string; readonly outs: Props }>;
  readonly read: (id: string, props: Props) => Promise<ReadProps>;
  readonly update: (id: string, olds: Props, news: Props) => Promise<{ readonly outs: Props }>;
  readonly delete: (id: string, props: Props) => Promise<void>;
}

export interface CheckedProps {
  readonly inputs: Props;
  readonly failures: { readonly property: string; readonly reason: string }[];
}

/** The answer of read. Without an id, the object no longer exists. */
interface ReadProps {
  readonly id?: string;
  readonly props?: Props;
  readonly inputs?: Props;
}

/** An InitFailedError in the form that the plugin expects: the plugin passes id and properties to the engine. */
export class DynamicInitFailedError extends Error {
  readonly id: string;
  readonly reasons: readonly string[];

  constructor(
    { id, message, cause }: InitFailedError,
    readonly properties: Props,
  ) {
    super(message, { cause });
    this.id = id;
    this.reasons = [message];
    this.stack = message;
  }
}

/**
 * An error with the message only, for the resource's row. The engine would print a stack, take an `id` for a resource
 * whose initialization failed, and take a numeric `code` for a gRPC status.
 */
class ShownError extends Error {
  constructor(
    private readonly call: string,
    cause: unknown,
  ) {
    super(shownText(cause), { cause });
    this.stack = "the resource's own line says why";
  }

  /** The plugin prints this under the stack, in addition to the message on the resource's row. */
  override toString(): string {
    return `${this.call} failed`;
  }
}

/** The entry of this front: each request is parsed here, once, and each answer is put into the plugin's form. */
export function pluginCallsOf(kind: ResourceKind | LocalKind, run: () => Run): PluginCalls {
  const lifecycle = lifecycleOf(kind, run);
  const secrets = "path" in kind ? secretNames(kind) : [];
  const toProps = (state: ResourceState): Props => propsFromState(state, secrets);
  /**
   * Only inputs have the base URL. Outputs stay the same if a run changes nothing, so the base URL could become
   * outdated there.
   */
  const toInputs = (state: ResourceState): Props =>
    "path" in kind ? { ...toProps(state), __baseUrl: urlSpelling(run().settings.baseUrl) } : toProps(state);
  /** The paths of the program's secrets by URN, from check, because only that learns them. */
  const secretPaths = new Map<string, readonly PropertyPath[]>();
  /**
   * The outputs of a created or changed resource. They keep the paths, because later runs may not learn them from the
   * program.
   */
  const toOutputs = (state: ResourceState, sent: Props, former: readonly PropertyPath[] = []): Props => {
    const paths = [...(secretPaths.get(state.urn) ?? []), ...former];
    const props = propsFromState(state, [...secrets, ...former.map(([name = ""]) => name)]);
    return withPaths(withProvider(props, sent), paths);
  };
  return {
    check: async (olds, news) => {
      try {
        const facts = programFactsOf(news);
        const request = requestOf("", news, olds, facts);
        secretPaths.set(request.urn, facts?.secretPaths ?? []);
        const { state, findings } = await lifecycle.check(request);
        return {
          inputs: answeredInputs({ ...news }, toInputs(state), findings.length > 0),
          failures: findings.map((finding) => ({ property: "", reason: findingText(finding) })),
        };
      } catch (error) {
        // Answered as a failure, which appears once, on the resource's row. The engine would print an error of check
        // twice.
        return { inputs: { ...news }, failures: [{ property: "", reason: shownText(error) }] };
      }
    },
    diff: (id, olds, news) =>
      shown("diff", news, async () => {
        const request = requestOf(id, news, olds);
        // Without `changed`, which the answer of dynamic providers cannot carry.
        // eslint-disable-next-line @typescript-eslint/no-unused-vars -- left out of the answer
        const { changed, ...answer } = await lifecycle.diff(request);
        const mayOutlive = "path" in kind && kind.credential !== undefined;
        if (answer.changes !== false || !mayOutlive || !isRenamed(request)) return answer;
        // A deletion gets only the URN in the outputs, and decides by it whether an old key stays. So an update saves
        // the new URN there.
        const { memory, rows } = run();
        const { urn } = request;
        if (memory.of(urn)?.isPreview) await rows.line(urn, "info", "only its name or parent in the program changes");
        return { ...answer, changes: true };
      }),
    create: (inputs) =>
      shown("create", inputs, async () => {
        const { id, state } = await lifecycle.create(requestOf("", inputs));
        return { id, outs: toOutputs(state, inputs) };
      }),
    read: (id, props) =>
      shown("read", props, async () => {
        const request = requestOf(id, props);
        const found = await lifecycle.read(request);
        if (!found) return {};
        const inputs = request.isReference ? toProps(found.inputs) : toInputs(found.inputs);
        return { id: found.id, props: withPaths(toProps(found.outputs), keptPaths(props)), inputs };
      }),
    update: (id, olds, news) =>
      shown(
        "update",
        news,
        async () => {
          const { state } = await lifecycle.update(requestOf(id, news, olds));
          return { outs: toOutputs(state, news) };
        },
        // The state may keep values that were secret there and are not in the program.
        keptPaths(olds),
      ),
    delete: (id, props) => shown("delete", props, () => lifecycle.delete(requestOf(id, props))),
  };

  async function shown<Answer>(
    name: string,
    sent: Props,
    call: () => Promise<Answer>,
    former: readonly PropertyPath[] = [],
  ): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof InitFailedError)) throw new ShownError(name, error);
      throw new DynamicInitFailedError(error, toOutputs(error.state, sent, former));
    }
  }
}

function requestOf(id: string, sent: Props, olds: Props = {}, facts = programFactsOf(sent)): ResourceRequest {
  const request = requestFromProps(id, sent, facts, olds);
  // A deletion has the URN of the last update only, which the other provider may have made.
  const urn = resourceKey(request.urn) === dynamicUrn(request.urn) ? request.urn : dynamicUrn(request.urn);
  for (const props of [sent, olds])
    for (const path of [...(facts?.secretPaths ?? []), ...keptPaths(props)])
      for (const text of secretTexts(valueAt(path, props), true)) maskInput(urn, text);
  return {
    ...request,
    urn,
    // A `get` sends the constructor's inputs without a check, so they still have the facts of the run.
    isReference: facts !== undefined,
    formerBaseUrl: typeof olds["__baseUrl"] === "string" ? olds["__baseUrl"] : undefined,
  };
}

/** True if an alias gives the resource another name or parent. A move between the fronts does not count. */
function isRenamed({ urn, last }: ResourceRequest): boolean {
  return last !== undefined && last.urn !== "" && dynamicUrn(last.urn) !== dynamicUrn(urn);
}

function valueAt(path: PropertyPath, props: Props): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), props);
}

/** Keeps the text that loads the provider, because a later delete needs it. */
function withProvider(props: Props, { __provider }: Props): Props {
  return __provider === undefined ? props : { ...props, __provider };
}
