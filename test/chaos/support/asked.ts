import type { PluginCalls } from "../../../src/dynamic/plugin-calls";
import type { KeptResource } from "../../support/mini-state";
import type { Service } from "./service";

type Retired = string | { readonly id: string };

/** What the engine has asked one process to change or to delete. All else that was there before it has to stay as it is. */
export class Asked {
  readonly #before: readonly string[];
  readonly #ids: Set<string>;

  constructor(service: Service, state: readonly KeptResource[]) {
    this.#before = Array.from(service.held().keys(), idOf);
    // Keys that their successors delete.
    this.#ids = new Set(
      state
        .flatMap(({ outs }) => (outs["__retired"] as Retired[] | undefined) ?? [])
        .map((retired) => idOf(typeof retired === "string" ? retired : retired.id)),
    );
  }

  /** The calls of a kind, listened to. */
  calls(calls: PluginCalls): PluginCalls {
    const note = (id: unknown): void => {
      if (typeof id === "string") this.#ids.add(idOf(id));
    };
    return {
      ...calls,
      create: (inputs) => {
        const { adopt } = inputs;
        note(typeof adopt === "object" && adopt !== null && "id" in adopt ? adopt.id : adopt);
        return calls.create(inputs);
      },
      update: (id, ...others) => {
        note(id);
        return calls.update(id, ...others);
      },
      delete: (id, props) => {
        note(id);
        return calls.delete(id, props);
      },
    };
  }

  /** Of the requests that were sent, those that nobody had asked for. */
  unasked(changes: readonly string[], isElses: (id: string) => boolean): string[] {
    return changes.filter((change) => {
      const [, at] = /^(?:DELETE|PATCH) .*\/([^/]+)$/.exec(change) ?? [];
      const id = idOf(at ?? "");
      return this.#before.includes(id) && !this.#ids.has(id) && !isElses(id);
    });
  }
}

function idOf(id: string): string {
  return id.toLowerCase();
}
