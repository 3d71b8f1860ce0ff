import type { Dispatcher } from "undici";

/** A request on its way, and the handler of its answer. */
export interface PendingRequest {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/** Changes to an answer. */
export interface AnswerChanges {
  readonly status?: number;
  readonly onAnswer?: () => unknown;
}

/** Forwards a request to the service. Resolves with the received part of the answer's body. */
export function forward(
  agent: Dispatcher,
  { options, handler }: PendingRequest,
  { status, onAnswer }: AnswerChanges = {},
): Promise<string> {
  let body = "";
  return new Promise((resolve) => {
    agent.dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: (controller, answered, headers, message) => {
        onAnswer?.();
        handler.onResponseStart?.(controller, status ?? answered, headers, message);
      },
      onResponseData: (controller, chunk) => {
        body += chunk.toString();
        if (status === undefined) handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => {
        handler.onResponseEnd?.(controller, trailers);
        resolve(body);
      },
      onResponseError: (controller, error) => {
        handler.onResponseError?.(controller, error);
        resolve(body);
      },
    });
  });
}

/** Ends a request without an answer. */
export function breakOff({ handler }: PendingRequest): void {
  handler.onResponseError?.(undefined as unknown as Dispatcher.DispatchController, new Error("killed"));
}

/** Resolves when the client gives up waiting for an answer. */
export function untilGivenUp({ handler }: PendingRequest): Promise<void> {
  return new Promise((resolve) => {
    const controller = { abort: () => resolve() } as unknown as Dispatcher.DispatchController;
    handler.onRequestStart?.(controller, {});
  });
}

/** The answer that a client gets. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly body: string;
}

type Request = Pick<Dispatcher.DispatchOptions, "method" | "path" | "headers">;

/** A connection whose complete answers are changed on the way to the client. */
export function withAnswers(
  wire: Dispatcher,
  change: (request: Request, answer: ForwardedAnswer) => ForwardedAnswer,
): Pick<Dispatcher, "dispatch"> {
  return {
    dispatch: (options, handler) => {
      let body = "";
      let begin: ((answer: ForwardedAnswer) => void) | undefined;
      let status = 0;
      return wire.dispatch(options, {
        onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
        onResponseStart: (controller, answered, headers, message) => {
          status = answered;
          begin = (answer) => {
            handler.onResponseStart?.(controller, answer.status, headers, message);
            handler.onResponseData?.(controller, Buffer.from(answer.body));
          };
        },
        onResponseData: (_controller, chunk) => void (body += chunk.toString()),
        onResponseEnd: (controller, trailers) => {
          begin?.(change(options, { status, body }));
          handler.onResponseEnd?.(controller, trailers);
        },
        onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
      });
    },
  };
}
