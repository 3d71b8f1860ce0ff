import type { Dispatcher } from "undici";

/** What a client is going to hear. */
export interface HeardAnswer {
  readonly status: number;
  readonly body: string;
}

type Request = Pick<Dispatcher.DispatchOptions, "method" | "path" | "headers">;

/** A connection whose whole answers are changed on their way to the client. */
export function withAnswers(
  wire: Dispatcher,
  change: (request: Request, answer: HeardAnswer) => HeardAnswer,
): Pick<Dispatcher, "dispatch"> {
  return {
    dispatch: (options, handler) => {
      let body = "";
      let begin: ((answer: HeardAnswer) => void) | undefined;
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
