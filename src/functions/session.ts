import { z } from "zod";
import { Api } from "../api/client";
import { ConfigurationError, RequestError } from "../api/errors";
import { howToConfigure } from "../engine/settings-list";
import { readSettings, type ConfigReader, type Settings } from "../settings/config";
import { runNotes } from "../cost/run-notes";
import { fieldsSchema } from "../definition/response-schemas";
import { argumentsSchema } from "../definition/input-schemas";
import { LookupError, type Tools } from "./lookup-definition";
import { userAgent } from "../process/version";

export interface Session {
  readonly api: Api;
  readonly settings: Settings;
  /** The advice of errors that functions have already given. */
  readonly explained: Set<string>;
}

/**
 * The sessions by settings, because a process can run the programs of several stacks (Automation API), each with its
 * own credential.
 */
const sessions = new Map<string, Session>();

/** The session for the present settings. Throws ConfigurationError. */
export function sessionFor(config: ConfigReader, onWarning: (message: string) => void): Session {
  const settings = readSettings(config);
  const key = JSON.stringify(settings);
  const known = sessions.get(key);
  if (known) return known;
  const api = new Api({ ...settings, userAgent, onWarning });
  const session = { api, settings, explained: new Set<string>() };
  sessions.set(key, session);
  return session;
}

/** The tools of a function. `functionName` is for error texts. */
export function toolsOf(session: Session, functionName: string): Tools {
  const { api, settings, explained } = session;
  const failed = (error: unknown): never => {
    if (error instanceof RequestError) error.adviseOnce(explained);
    throw error;
  };
  async function* list<T>(
    schema: z.ZodType<T>,
    path: readonly string[],
    query: Readonly<Record<string, string>>,
    purpose: string,
  ): AsyncIterable<T> {
    try {
      yield* api.list(schema, path, query, { purpose });
    } catch (error) {
      failed(error);
    }
  }
  const noted = (path: readonly string[]): readonly string[] => {
    runNotes(process.env)?.add({
      note: "lookup",
      name: functionName,
      path: `/${path.join("/")}`,
      provider: settings.provider,
    });
    return path;
  };
  return {
    show: (fields, path, query, purpose) =>
      api.show(fieldsSchema(fields), noted(path), query, { purpose }).catch(failed),
    list: (fields, path, query, purpose) => list(fieldsSchema(fields), noted(path), query, purpose),
    faultsOf: (fields, args) =>
      (argumentsSchema(fields).safeParse(args).error?.issues ?? []).map(({ path, message }) => ({
        field: path.join("."),
        reason: message,
      })),
    organization: () => {
      const path = noted(["v1", "organizations"]);
      return onlyOrganization(list(z.looseObject({ id: z.string() }), path, {}, functionName), functionName);
    },
    configured: (key) => {
      const { [key]: value, provider } = settings;
      if (value !== undefined) return value;
      throw new ConfigurationError(`${functionName} needs a ${key}: give it one, or ${howToConfigure(key, provider)}.`);
    },
  };
}

/**
 * The id of the only organization that the API key reaches. Throws a LookupError, with their ids, if there are several.
 */
async function onlyOrganization(
  organizations: AsyncIterable<{ readonly id: string }>,
  functionName: string,
): Promise<string> {
  const ids: string[] = [];
  for await (const { id } of organizations) ids.push(id);
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  const there = ids.length === 0 ? "The API key reaches none" : `The API key reaches ${ids.join(", ")}`;
  throw new LookupError(`${functionName} needs "organizationId". ${there}.`);
}
