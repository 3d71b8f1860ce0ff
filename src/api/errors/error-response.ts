import { parseJson } from "../../text/json";
import { z } from "zod";
import { withoutSecrets } from "../../text/shown-text";
import { clipped, printable } from "../../text/terminal-text";
import { dateTime } from "../schema";
import type { RequestLine } from "./cloudinfra-error";

/** The content of an error response (specification section 7.1), without secrets. */
interface ErrorContent {
  /** The machine-readable error type. Undefined if the body is not the API's own. */
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The content of an error response, with its request and its credential. */
export interface ErrorResponse extends ErrorContent {
  readonly line: RequestLine;
  readonly status: number;
  readonly credentialSource: string;
  /** What to do if the present credential is refused. Undefined if a valid key in the same place is enough. */
  readonly credentialRemedy?: string | undefined;
  readonly attempts: number;
  readonly retryAfterMs?: number | undefined;
}

/** HTTPError of specification section 7.1, with all its required fields. */
const completeHttpError = z.looseObject({
  type: z.string(),
  message: z.string(),
  request_id: z.string(),
  timestamp: dateTime,
  context: z.looseObject({ parameters: z.looseObject({}) }),
});

/** As `completeHttpError`, but any field may be missing, because proxies answer with their own bodies. */
const httpError = z.looseObject({
  type: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  request_id: z.string().optional().catch(undefined),
  context: z
    .looseObject({ parameters: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
});

interface ErrorBody extends ErrorContent {
  /** Whether it is the API's own error body, with every field. */
  readonly isComplete: boolean;
}

const LONGEST_TEXT = 500;

/**
 * Reads an error body. `scrub` removes secrets that the API may repeat. The result has no values if the body is not an HTTPError.
 */
export function readErrorBody(text: string, scrub: (text: string) => string): ErrorBody {
  const body = parseJson(text);
  const { success, data } = httpError.safeParse(body);
  if (!success) return { parameters: {}, isComplete: false };
  const clean = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : sanitized(scrub(value));
  const parameters = Object.entries(data.context?.parameters ?? {}).map(([name, reason]) => [
    clean(name),
    clean(typeof reason === "string" ? reason : JSON.stringify(reason)),
  ]);
  return {
    type: clean(data.type),
    message: clean(data.message),
    requestId: clean(data.request_id),
    parameters: Object.fromEntries(parameters) as Record<string, string>,
    isComplete: completeHttpError.safeParse(body).success,
  };
}

/** One line of the API's text, without control characters, and of readable length. */
export function sanitized(text: string): string {
  return clipped(printable(withoutSecrets(text)).trim(), LONGEST_TEXT);
}

/** True if a refusal seems to say that a region has no capacity. It only changes the advice, and no decision depends on it. */
export function isCapacityRefusal(words: string): boolean {
  return /\bcapacity\b/i.test(words);
}

export function isQuotaRefusal({ type, parameters }: ErrorResponse): boolean {
  return /quota/i.test(type ?? "") || Object.keys(parameters).some((name) => name.startsWith("quota."));
}
