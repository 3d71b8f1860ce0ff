import type { Dispatcher } from "undici";

/** A request on its way, and the handler of its answer. */
export interface Sent {
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
  { options, handler }: Sent,
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
export function breakOff({ handler }: Sent): void {
  handler.onResponseError?.(undefined as unknown as Dispatcher.DispatchController, new Error("killed"));
}
