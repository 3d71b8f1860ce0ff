import { check, type CheckAnswer } from "./check";
import { create, type CreateAnswer } from "./create";
import { remove } from "./delete";
import { diff, type DiffAnswer } from "./diff";
import { keepUnshown } from "../shown-text";
import { HalfMadeError, ShownError, shownText } from "./errors";
import { adoptionOf, hiddenOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import type { LocalKind } from "./local-kind";
import { localLifecycleOf } from "./local-lifecycle";
import { read, type ReadAnswer } from "./read";
import type { Run } from "./run";
import { update, type UpdateAnswer } from "./update";

/**
 * The calls of the engine's plugin for one kind of resource: `pulumi.dynamic.ResourceProvider`, with the types of what we
 * answer, and with what that interface does not say: an answer of read without an id means that the object is gone.
 */
export interface Lifecycle {
  readonly check: (olds: Props, news: Props) => Promise<CheckAnswer>;
  readonly diff: (id: string, olds: Props, news: Props) => Promise<DiffAnswer>;
  readonly create: (inputs: Props) => Promise<CreateAnswer>;
  readonly read: (id: string, props: Props) => Promise<ReadAnswer>;
  readonly update: (id: string, olds: Props, news: Props) => Promise<UpdateAnswer>;
  readonly delete: (id: string, props: Props) => Promise<void>;
}

/** The lifecycle of one kind of resource: one for all that the API has, one for those that are in the state only. */
export function lifecycleOf(kind: ResourceKind | LocalKind, run: () => Run): Lifecycle {
  const calls = "handler" in kind ? apiLifecycleOf(kind, run) : localLifecycleOf(kind, run);
  return {
    check: async (olds: Props, news: Props) => {
      try {
        return await calls.check(olds, news);
      } catch (error) {
        // As a failure it stands on the resource's row once; what check throws would be printed beside it as well.
        return { inputs: { ...news }, failures: [{ property: "", reason: shownText(error) }] };
      }
    },
    diff: shown("diff", calls.diff),
    create: shown("create", calls.create),
    read: shown("read", calls.read),
    update: shown("update", calls.update),
    delete: shown("delete", calls.delete),
  };
}

/** What a state or a program hands over as a secret is shown nowhere, whoever echoes it. */
function keepSecretsOf(kind: ResourceKind, props: Props): void {
  const adopt = adoptionOf(props["adopt"])?.key;
  const names = [...kind.secretOutputs, ...kind.apart.filter(({ isSecret }) => isSecret).map(({ name }) => name)];
  for (const secret of [adopt, ...names.map((field) => props[field])])
    if (typeof secret === "string") keepUnshown(secret);
}

function apiLifecycleOf(kind: ResourceKind, run: () => Run): Lifecycle {
  /** Each call may be the process's first: what earlier runs have left open is told before it. */
  const begun = async (props: Props, olds: Props = {}): Promise<Run> => {
    for (const known of [props, olds]) keepSecretsOf(kind, known);
    await run().journal.warnOfEarlier(hiddenOf(props).urn);
    return run();
  };
  /** Not in a preview, where a call that makes none anyhow stays without one. */
  const begunUpdate = async (props: Props, olds: Props = {}): Promise<Run> => {
    const { journal, lateCreations } = await begun(props, olds);
    journal.noteUpdate();
    await lateCreations.tell(hiddenOf(props).urn);
    return run();
  };
  return {
    check: async (olds, news) => {
      if (!hiddenOf(news).dryRun) run().journal.noteUpdate();
      return check(kind, await begun(news, olds), olds, news);
    },
    diff: async (id, olds, news) => diff(kind, await begun(news, olds), id, olds, news),
    create: async (inputs) => create(kind, await begunUpdate(inputs), inputs),
    read: async (id, props) => read(kind, await begunUpdate(props), id, props),
    update: async (id, olds, news) => update(kind, await begunUpdate(news, olds), id, olds, news),
    delete: async (id, props) => remove(kind, await begunUpdate(props), id, props),
  };
}

/** A call whose errors are fit to be shown. */
function shown<Args extends unknown[], Answer>(
  name: string,
  call: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw error instanceof HalfMadeError ? error : new ShownError(name, error);
    }
  };
}
