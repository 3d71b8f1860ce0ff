import { z } from "zod";

/** HTTPError, specification section 7.1. Read with patience: proxies answer with bodies of their own. */
const httpError = z.looseObject({
  type: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  request_id: z.string().optional().catch(undefined),
  context: z
    .looseObject({ parameters: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
});

/** What an error body says, fit to be shown. */
export interface ErrorBody {
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

const LONGEST_TEXT = 500;

/** Reads an error body. `scrub` takes out secrets that the service may echo. A body that is no HTTPError gives nothing. */
export function readErrorBody(text: string, scrub: (text: string) => string): ErrorBody {
  const { success, data } = httpError.safeParse(parseJson(text));
  if (!success) return { parameters: {} };
  const clean = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : printable(scrub(value));
  const parameters = Object.entries(data.context?.parameters ?? {}).map(([name, reason]) => [
    clean(name),
    clean(typeof reason === "string" ? reason : JSON.stringify(reason)),
  ]);
  return {
    type: clean(data.type),
    message: clean(data.message),
    requestId: clean(data.request_id),
    parameters: Object.fromEntries(parameters) as Record<string, string>,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line without control characters: a terminal would obey them. */
function printable(text: string): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return oneLine.length > LONGEST_TEXT ? `${oneLine.slice(0, LONGEST_TEXT)}…` : oneLine;
}
