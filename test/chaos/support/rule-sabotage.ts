import { programFactsOf } from "../../../src/engine/program-facts";
import { urnParts } from "../../../src/engine/urn";
import { collectionAt } from "../../../src/lifecycle/kind/collection-at";
import { kinds } from "../../../src/resources/registry";
import { jsonOf } from "../../support/proxy/actions";
import { codesOf } from "./answers";
import { withAnswers } from "./forward";
import type { Sabotage } from "./sabotage";

const UNVERIFIED = ["NOT_APPLIED", "OPERATION_FAILED", "OPERATION_TIMEOUT", "READINESS_TIMEOUT"];

/** Ignores errors that say that the object does not show a change. */
async function believing<T>(work: Promise<T>, answer: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (codesOf(error).some((code) => UNVERIFIED.includes(code))) return answer;
    throw error;
  }
}

/** The rules of recovery and of changes, each broken. */
export const rulesBroken: Readonly<Record<string, Sabotage>> = {
  "recovery deletes the object of an interrupted run": {
    expected: /which nobody had asked for/,
    calls: ({ create }, { run }) => ({
      create: async (inputs) => {
        const urn = String(inputs["__urn"]);
        const kind = kinds.find(({ type }) => type === urnParts(urn).type);
        for (const { id } of await run.journal.interrupted(urn)) {
          if (kind && id !== undefined)
            await collectionAt(run.api, kind, inputs, id)
              .delete(id, {})
              .catch(() => undefined);
        }
        return create(inputs);
      },
    }),
  },
  "a deletion counts as done although the object is there": {
    expected: /a run called the deletion of .* done/,
    calls: (calls) => ({ delete: (id, props) => believing(calls.delete(id, props), undefined) }),
  },
  "a change counts as done without its effect": {
    expected: /a run called the update of .* done/,
    calls: ({ update }) => ({
      update: (id, olds, news) => believing(update(id, olds, news), { outs: { ...olds, ...news } }),
    }),
  },
  "a 409 counts as the only answer to a creation": conflictsBelieved(),
  "entries of a stack's earlier name are ignored": renamedStacksIgnored(),
};

function renamedStacksIgnored(): Sabotage {
  let stackName = "";
  return {
    expected: /no message names it/,
    calls: ({ check }) => ({
      check: (olds, news) => {
        stackName = urnParts(programFactsOf(news)?.urn ?? "").stack;
        return check(olds, news);
      },
    }),
    journal: (journal) => ({
      ...journal,
      all: async () => {
        const contents = await journal.all();
        return { ...contents, entries: contents.entries.filter(({ stack }) => stack.stack === stackName) };
      },
    }),
  };
}

/**
 * Assumes that a creation with the answer 409 has made nothing: ignores the log, keeps no entry, and fails with the
 * 409.
 */
function conflictsBelieved(): Sabotage {
  const refused = new Set<string>();
  return {
    expected: /no message names it/,
    connect: (wire) =>
      withAnswers(wire, ({ method, path, headers }, answer) => {
        const [, token] = /\(([0-9a-f]{32})\)/.exec(JSON.stringify(headers)) ?? [];
        if (method === "POST" && answer.status === 409 && token !== undefined) refused.add(token);
        const { items, ...rest } = jsonOf(answer.body) ?? {};
        if (!path.startsWith("/v1/audit_logs") || !Array.isArray(items)) return answer;
        const isRefused = (item: unknown): boolean => [...refused].some((one) => JSON.stringify(item).includes(one));
        const shown = (items as readonly object[]).map((item) =>
          isRefused(item) ? { ...item, status_code: 409, target: null } : item,
        );
        return { ...answer, body: JSON.stringify({ ...rest, items: shown }) };
      }),
    calls: ({ create }, { run }) => ({
      create: async (inputs) => {
        try {
          return await create(inputs);
        } catch (error) {
          throw codesOf(error).includes("CONFLICT") ? new Error("409") : error;
        } finally {
          const entries = await run.journal.interrupted(String(inputs["__urn"]));
          for (const entry of entries) if (refused.has(entry.token)) await run.journal.close(entry);
        }
      },
    }),
    journal: (journal) => ({
      ...journal,
      all: async () => {
        const contents = await journal.all();
        return { ...contents, entries: contents.entries.filter(({ token }) => !refused.has(token)) };
      },
    }),
  };
}
