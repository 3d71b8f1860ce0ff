import type { Dispatcher } from "undici";
import type { Lifecycle } from "../../../src/dynamic/lifecycle";
import type { Journal } from "../../../src/journal/journal";
import type { TestRun } from "../../support/lifecycle";
import type { Service } from "./service";

/** What is broken on purpose, to see that the campaign notices. */
export interface Sabotage {
  readonly connect?: (wire: Dispatcher) => Pick<Dispatcher, "dispatch">;
  readonly journal?: (journal: Journal) => Journal;
  /** What is then found. */
  readonly expected: RegExp;
  readonly calls?: (calls: Lifecycle, run: TestRun, service: Service) => Partial<Lifecycle>;
}

/** A run with its lifecycle broken. */
export function sabotaged(run: TestRun, service: Service, { calls }: Sabotage): TestRun {
  if (!calls) return run;
  return {
    ...run,
    of: (type) => {
      const whole = run.of(type);
      return { ...whole, ...calls(whole, run, service) };
    },
  };
}

/** Mistakes that such a package can have, by what they are. */
export const sabotages: Readonly<Record<string, Sabotage>> = {
  "the journal is not written": {
    expected: /no message names it/,
    journal: (journal) => ({ ...journal, write: () => Promise.resolve() }),
  },
  "a creation is sent again when its answer is lost": {
    expected: /no message names it/,
    connect: (wire) => ({
      dispatch: (options, handler) =>
        wire.dispatch(options, {
          onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
          onResponseStart: (...args) => handler.onResponseStart?.(...args),
          onResponseData: (...args) => handler.onResponseData?.(...args),
          onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
          onResponseError: (controller, error) => {
            if (options.method === "POST") wire.dispatch(options, handler);
            else handler.onResponseError?.(controller, error);
          },
        }),
    }),
  },
  "the id of what was made half is forgotten": {
    expected: /no message names it/,
    calls: ({ create }) => ({
      create: (inputs) =>
        create(inputs).catch((error: unknown) => {
          throw new Error(String(error).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "it"));
        }),
    }),
  },
  "an update loses the secret": {
    expected: /has no secret in state/,
    calls: ({ update }) => ({
      update: async (...args) => {
        const { outs } = await update(...args);
        return { outs: { ...outs, key: undefined } };
      },
    }),
  },
  "a deletion is not carried out": {
    expected: /no message names it/,
    calls: () => ({ delete: () => Promise.resolve() }),
  },
  "a refresh takes for gone what is there": {
    expected: /no message names it/,
    calls: () => ({ read: () => Promise.resolve({}) }),
  },
  "objects of the same name are cleared away": {
    expected: /somebody else's .* is gone/,
    calls: ({ create }, _run, service) => ({
      create: async (inputs) => {
        const created = await create(inputs);
        for (const [id, { path, object }] of service.held()) {
          if (object.name === inputs["name"] && id !== created.id) await service.call("DELETE", path);
        }
        return created;
      },
    }),
  },
  "a line shows the secret": {
    expected: /a secret stands in a message/,
    calls: ({ create }, run) => ({
      create: async (inputs) => {
        const created = await create(inputs);
        await run.run.rows.line("", "info", JSON.stringify(created.outs));
        return created;
      },
    }),
  },
};
