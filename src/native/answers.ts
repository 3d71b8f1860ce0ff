import type * as grpc from "@grpc/grpc-js";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { HalfMadeResourceError, ShownError } from "../dynamic/shown-error";
import { shownText } from "../lifecycle/errors";
import type { Props } from "../lifecycle/kind";
import { halfMadeDetails, messages, structOf } from "./messages";
import { pulumiRequire } from "../pulumi-modules";

/** What check has made of the inputs, and what is wrong with them. */
export function checkAnswer(
  inputs: Props,
  failures: readonly { readonly property: string; readonly reason: string }[],
): wire.CheckResponse {
  const answer = new messages.CheckResponse();
  answer.setInputs(structOf(inputs));
  answer.setFailuresList(
    failures.map(({ property, reason }) => {
      const failure = new messages.CheckFailure();
      failure.setProperty(property);
      failure.setReason(reason);
      return failure;
    }),
  );
  return answer;
}

/** A handler of gRPC: the answer, or the error with what the engine has to know of it. */
export function answered<Request, Answer>(
  answer: (request: Request) => Answer | Promise<Answer>,
): grpc.handleUnaryCall<Request, Answer> {
  return ({ request }, callback) => {
    void Promise.resolve()
      .then(() => answer(request))
      .then(
        (message) => callback(null, message),
        (error: unknown) => callback(statusOf(error), null),
      );
  };
}

function statusOf(error: unknown): grpc.ServiceError {
  const { Metadata, status } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
  const message =
    error instanceof ShownError || error instanceof HalfMadeResourceError ? error.message : shownText(error);
  const metadata = new Metadata();
  if (error instanceof HalfMadeResourceError) {
    metadata.set("grpc-status-details-bin", halfMadeDetails(error.id, error.properties, error.reasons));
  }
  return Object.assign(new Error(message), { code: status.UNKNOWN, details: message, metadata });
}
