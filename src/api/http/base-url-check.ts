import { NotFoundError } from "../errors/api-error";
import type { ApiRequest } from "./request";
import type { CallOptions } from "./request";
import { NotTheApiError } from "../errors/not-the-api-error";
import type { Answer } from "./answer";
import { isTransient } from "./retry";

/** Every API has it, and every valid key may see it. A server that answers 404 to it is not the API. */
const REGIONS: ApiRequest = { method: "GET", path: ["v1", "regions"], query: { limit: "100" } };
const DEADLINE_MS = 15_000;

/**
 * Whether the base URL is known to be right in this process. Only then is a 404 about the object. If everything answers 404,
 * for example because the base URL has a segment too many, nothing is gone.
 */
export class BaseUrlCheck {
  #isRight = false;
  #asked: Promise<void> | undefined;

  /** `read` throws if the answer is not a list. */
  constructor(
    private readonly baseUrl: string,
    private readonly ask: (request: ApiRequest, call: CallOptions) => Promise<Answer>,
    private readonly read: (answer: Answer) => void,
  ) {}

  /** The API has answered a request as the specification says. */
  noteAnswer(): void {
    this.#isRight = true;
  }

  /** Rejects with NotTheApiError unless the base URL is known to be right. With a wrong base URL, every 404 is worthless. */
  async confirm(notFound: NotFoundError, { what, deadlineMs, endsAt }: CallOptions): Promise<void> {
    if (this.#isRight) return;
    try {
      await this.#askOnce({ deadlineMs: Math.min(DEADLINE_MS, deadlineMs ?? Infinity), ...(endsAt && { endsAt }) });
    } catch (cause) {
      const { path, method, effect } = notFound;
      throw new NotTheApiError(
        { line: { path, method, what }, effect, baseUrl: this.baseUrl, finding: findingOf(cause) },
        { cause },
      );
    }
  }

  /** Once for all callers. It is repeated only after a temporary failure. */
  #askOnce(limits: CallOptions): Promise<void> {
    this.#asked ??= this.ask(REGIONS, { ...limits, what: "check the base URL" })
      .then((answer) => this.read(answer))
      .catch((error: unknown) => {
        if (isTransient(error)) this.#asked = undefined;
        throw error;
      });
    return this.#asked;
  }
}

function findingOf(cause: unknown): string {
  if (cause instanceof NotFoundError) return "GET /v1/regions, which every API has, got the same answer";
  const why = cause instanceof Error ? cause.message.split("\n")[0] : "";
  return `the API answered nothing else in this run, and GET /v1/regions failed: ${why}`;
}
