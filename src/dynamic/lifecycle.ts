import type * as pulumi from "@pulumi/pulumi";
import { check } from "./check";
import { create } from "./create";
import { remove } from "./delete";
import { diff } from "./diff";
import { HalfMadeError, messageOf, ShownError } from "./errors";
import type { Props, ResourceKind } from "./kind";
import { read } from "./read";
import type { Run } from "./run";
import { update } from "./update";

/** The calls of the engine for one kind, each of them with errors as people should see them. */
export type Lifecycle = Required<
  Pick<pulumi.dynamic.ResourceProvider, "check" | "diff" | "create" | "update" | "delete">
> & {
  /** Without an id in the answer the object is gone; the engine's own type does not say so. */
  read(id: string, props: unknown): Promise<pulumi.dynamic.ReadResult>;
};

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
    read: shown(
      "read",
      (id: string, props: Props) => read(kind, run(), id, props) as Promise<pulumi.dynamic.ReadResult>,
    ),
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
