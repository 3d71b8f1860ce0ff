import type { Dispatcher } from "undici";
import type { PluginCalls } from "../../../src/dynamic/plugin-calls";
import type { JournalEntry } from "../../../src/journal/entry";
import type { Journal } from "../../../src/journal/journal";
import type { Run } from "../../../src/lifecycle/run/run";
import type { TestRun } from "../../support/lifecycle";
import { notFound } from "../../support/proxy/actions";
import { withAnswers } from "./forward";
import { rulesBroken } from "./rule-sabotage";
import type { Service } from "./service";

/** A deliberate mistake, to show that the campaign notices it. */
export interface Sabotage {
  readonly connect?: (wire: Dispatcher) => Pick<Dispatcher, "dispatch">;
  readonly journal?: (journal: Journal, run: Run) => Journal;
  /** The violation that the campaign must find. */
  readonly expected: RegExp;
  readonly calls?: (calls: PluginCalls, run: TestRun, service: Service) => Partial<PluginCalls>;
}

/** A run with its lifecycle broken. */
export function sabotaged(run: TestRun, service: Service, { calls }: Sabotage): TestRun {
  if (!calls) return run;
  return {
    ...run,
    of: (type) => {
      const original = run.of(type);
      return { ...original, ...calls(original, run, service) };
    },
  };
}

const ANY_TOKEN = "0".repeat(32);
/** Where a broken journal stores the spelling of the base URL. */
const SPELLING = "spelling";

/** Mistakes that such a package can have, by their description. */
export const sabotages: Readonly<Record<string, Sabotage>> = {
  ...rulesBroken,
  "the journal is not written": {
    expected: /no message names it/,
    journal: (journal) => ({ ...journal, write: () => Promise.resolve() }),
  },
  "a run claims every creation in the audit log": {
    expected: /somebody else's .* is gone|not in state|no message names it|is there twice|still open/,
    connect: (wire) => {
      let token = ANY_TOKEN;
      return withAnswers(wire, ({ path, headers }, answer) => {
        token = /\(([0-9a-f]{32})\)/.exec(JSON.stringify(headers))?.[1] ?? token;
        if (!path.startsWith("/v1/audit_logs")) return answer;
        return { ...answer, body: answer.body.replaceAll(/"user_agent":"[^"]*"/g, `"user_agent":"x (${token})"`) };
      });
    },
    journal: (journal) => ({
      ...journal,
      all: async () => {
        const contents = await journal.all();
        return { ...contents, entries: contents.entries.map((entry) => ({ ...entry, token: ANY_TOKEN })) };
      },
    }),
  },
  "the journal compares spellings of the base URL": {
    expected: /no message names it/,
    journal: (journal, run) => {
      const isOf = ({ pathInputs }: JournalEntry): boolean => pathInputs[SPELLING] === run.settings.baseUrl;
      return {
        ...journal,
        write: (entry) =>
          journal.write({ ...entry, pathInputs: { ...entry.pathInputs, [SPELLING]: run.settings.baseUrl } }),
        all: async () => {
          const contents = await journal.all();
          return { ...contents, entries: contents.entries.filter(isOf) };
        },
      };
    },
  },
  "an object that is not visible yet counts as deleted": {
    expected: /no message names it|still fails|not in state/,
    // As if every object had been made long ago.
    calls: ({ read }, { run }) => ({
      read: async (id, props) => {
        const shown = await read(id, { ...props, createdAt: "2020-01-01T00:00:00Z" });
        if (shown.props === undefined)
          for (const entry of await run.journal.earlier(String(props["__urn"])))
            if (entry.id === id) await run.journal.close(entry);
        return shown;
      },
    }),
  },
  "a 404 of another server counts as the API's": {
    expected: /no message names it|not in state/,
    connect: (wire) =>
      withAnswers(wire, (_request, answer) =>
        answer.status === 404 ? { status: 404, body: JSON.stringify(notFound) } : answer,
      ),
  },
  "a creation is sent again when its response is lost": {
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
  "the id of a half-made object is forgotten": {
    expected: /no message names it|not in state/,
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
  "a deletion is not sent": {
    expected: /no message names it/,
    calls: () => ({ delete: () => Promise.resolve() }),
  },
  "a found object keeps the program's values": {
    expected: /was found as .* given back as/,
    calls: (calls) => ({ delete: (id, props) => calls.delete(id, { ...props, __foundAs: undefined }) }),
  },
  "a refresh drops existing objects": {
    expected: /no message names it/,
    calls: () => ({ read: () => Promise.resolve({}) }),
  },
  "objects of the same name are deleted": {
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
        // Bypasses the code that removes secrets from every line.
        run.lines.push({ urn: "", severity: "info", text: JSON.stringify(created.outs) });
        return created;
      },
    }),
  },
};
