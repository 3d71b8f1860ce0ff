import { check, type CheckAnswer } from "./check";
import { create, type CreateAnswer } from "./create";
import { remove } from "./delete";
import { diff, type DiffAnswer } from "./diff";
import { HalfMadeError, messageOf, ShownError } from "./errors";
import type { Props, ResourceKind } from "./kind";
import { read, type ReadAnswer } from "./read";
import type { Run } from "./run";
import { update, type UpdateAnswer } from "./update";

/**
 * The calls of the engine's plugin for one kind of resource: `pulumi.dynamic.ResourceProvider`, with the types of what we
 * answer, and with what that interface does not say: an answer of read without an id means that the object is gone.
 */
export interface Lifecycle {
  check(olds: Props, news: Props): Promise<CheckAnswer>;
  diff(id: string, olds: Props, news: Props): Promise<DiffAnswer>;
  create(inputs: Props): Promise<CreateAnswer>;
  read(id: string, props: Props): Promise<ReadAnswer>;
  update(id: string, olds: Props, news: Props): Promise<UpdateAnswer>;
  delete(id: string, props: Props): Promise<void>;
}

/** The lifecycle of one kind of resource. It is the same for all of them. */
export function lifecycleOf(kind: ResourceKind, run: () => Run): Lifecycle {
  return {
    check: async (olds: Props, news: Props) => {
      try {
        return await check(kind, run(), olds, news);
      } catch (error) {
        // As a failure it stands on the resource's row once; what check throws would be printed beside it as well.
        return { inputs: { ...news }, failures: [{ property: "", reason: messageOf(error) }] };
      }
    },
    diff: shown("diff", (id: string, olds: Props, news: Props) => diff(kind, run(), id, olds, news)),
    create: shown("create", (inputs: Props) => create(kind, run(), inputs)),
    read: shown("read", (id: string, props: Props) => read(kind, run(), id, props)),
    update: shown("update", (id: string, olds: Props, news: Props) => update(kind, run(), id, olds, news)),
    delete: shown("delete", (id: string, props: Props) => remove(kind, run(), id, props)),
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
