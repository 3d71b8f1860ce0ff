import type * as grpc from "@grpc/grpc-js";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { HalfMadeError, shownText } from "../lifecycle/errors";
import type { Props } from "../lifecycle/kind";
import type { ResourceState } from "../lifecycle/resource-request";
import { pulumiRequire } from "../pulumi-modules";
import { initFailureDetails, messages, structOf } from "./messages";

/** What check has made of the inputs, and what is wrong with them. */
export function checkAnswer(inputs: Props, reasons: readonly string[]): wire.CheckResponse {
  const answer = new messages.CheckResponse();
  answer.setInputs(structOf(inputs));
  answer.setFailuresList(
    reasons.map((reason) => {
      const failure = new messages.CheckFailure();
      failure.setReason(reason);
      return failure;
    }),
  );
  return answer;
}

/** A HalfMadeError in the engine's form: the engine keeps the id and the properties, and says why on the row. */
export class InitFailure extends Error {
  constructor(
    readonly half: HalfMadeError,
    readonly properties: Props,
  ) {
    super(half.message, { cause: half });
  }
}

/** The answer. Rejects with an InitFailure if the object was made and is not ready. */
export async function orInitFailure<Answer>(
  answer: Promise<Answer>,
  propsOf: (state: ResourceState) => Props,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof HalfMadeError ? new InitFailure(error, propsOf(error.state)) : error;
  }
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
  const message = error instanceof InitFailure ? error.message : shownText(error);
  const metadata = new Metadata();
  if (error instanceof InitFailure) {
    metadata.set("grpc-status-details-bin", initFailureDetails(error.half.id, error.properties, message));
  }
  return Object.assign(new Error(message), { code: status.UNKNOWN, details: message, metadata });
}
