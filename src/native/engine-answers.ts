import type * as grpc from "@grpc/grpc-js";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { once } from "node:events";
import { type InitFailedError, shownText } from "../lifecycle/errors";
import type { Props } from "../lifecycle/kind/kind";
import type { DiffAnswer } from "../lifecycle/resource-request";
import { pulumiRequire } from "../engine/pulumi-modules";
import { pathText, type PropertyDifference } from "./preview-answers";
import { fillMessage, initFailureDetails, messages, structOf } from "./messages";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { findingText, type Finding } from "../definition/rule-context";
import { containsSecret } from "../engine/values";
import { redacted } from "../text/redaction";

/**
 * The answer of check: the completed inputs, and the failures. If a failure has a property, the engine shows the value
 * of that input.
 */
export function checkAnswer(inputs: Props, failures: readonly CheckFailure[]): wire.CheckResponse {
  return fillMessage(new messages.CheckResponse(), {
    inputs: structOf(inputs),
    failuresList: failures.map(failureMessage),
  });
}

export function failureMessage({ property = "", reason }: CheckFailure): wire.CheckFailure {
  return fillMessage(new messages.CheckFailure(), { property, reason });
}

/** The answer of diff, value by value. If no value is named, the engine only shows that something changes. */
export function diffAnswer(
  isChanged: boolean,
  differences: readonly PropertyDifference[],
  { replaces = [], deleteBeforeReplace = false }: DiffAnswer = {},
): wire.DiffResponse {
  const { DiffChanges } = messages.DiffResponse;
  const { Kind } = messages.PropertyDiff;
  const answer = fillMessage(new messages.DiffResponse(), {
    changes: isChanged ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE,
    replacesList: [...replaces],
    deletebeforereplace: deleteBeforeReplace,
    diffsList: [...new Set(differences.map(({ path }) => String(path[0])))],
    hasdetaileddiff: differences.length > 0,
  });
  const details = answer.getDetaileddiffMap();
  for (const { path, kind, replaces: isReplacing, isInput } of differences) {
    const members = { kind: Kind[isReplacing ? (`${kind}_REPLACE` as const) : kind], inputdiff: isInput };
    details.set(pathText(path), fillMessage(new messages.PropertyDiff(), members));
  }
  return answer;
}

/**
 * An InitFailedError in the engine's form. The engine keeps the id and the properties, and shows the reason on the row.
 */
export class InitFailure extends Error {
  constructor(
    readonly half: InitFailedError,
    readonly properties: Props,
  ) {
    super(half.message, { cause: half });
  }
}

/** A handler of gRPC. It answers, or reports the error in the form that the engine expects. */
export function unaryHandler<Request, Answer>(
  answer: (request: Request) => Answer | Promise<Answer>,
): grpc.handleUnaryCall<Request, Answer> {
  return ({ request }, callback) => {
    void Promise.resolve()
      .then(() => answer(request))
      .then(
        (message) => callback(null, message),
        (error: unknown) => callback(serviceError(error), null),
      );
  };
}

/** A handler of gRPC that streams answers as fast as the caller takes them. */
export function streamHandler<Request, Answer>(
  answers: (request: Request) => AsyncIterable<Answer>,
): grpc.handleServerStreamingCall<Request, Answer> {
  const send = async (call: grpc.ServerWritableStream<Request, Answer>): Promise<void> => {
    for await (const answer of answers(call.request)) {
      if (call.cancelled) return;
      if (!call.write(answer)) await Promise.race([once(call, "drain"), once(call, "cancelled")]);
    }
    call.end();
  };
  return (call) => void send(call).catch((error: unknown) => call.emit("error", serviceError(error)));
}

/** Answers UNIMPLEMENTED for an unsupported method. The engine continues without the answer if it can. */
export function unsupportedHandler(
  { responseStream }: Pick<grpc.MethodDefinition<unknown, unknown>, "responseStream">,
  details: string,
): grpc.UntypedHandleCall {
  const { Metadata, status } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
  const error = Object.assign(new Error(details), { code: status.UNIMPLEMENTED, details, metadata: new Metadata() });
  const stream: grpc.handleServerStreamingCall<unknown, unknown> = (call) => void call.emit("error", error);
  const unary: grpc.handleUnaryCall<unknown, unknown> = (_call, callback) => callback(error, null);
  return responseStream ? stream : unary;
}

function serviceError(error: unknown): grpc.ServiceError {
  const { Metadata, status } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
  const message = error instanceof InitFailure ? error.message : shownText(error);
  const metadata = new Metadata();
  if (error instanceof InitFailure) {
    metadata.set("grpc-status-details-bin", initFailureDetails(error.half.id, error.properties, message));
  }
  return Object.assign(new Error(message), { code: status.UNKNOWN, details: message, metadata });
}

export interface CheckFailure {
  readonly property?: string;
  readonly reason: string;
}

/** Values are not shown if they are longer, because the reason comes after the value. */
const MAX_VALUE_LENGTH = 100;

/**
 * A failure in the engine's form. If it names an input of the resource as its property, the engine also prints the
 * value that the program gave. So the failure names no property if the value is secret or too long. If no such input
 * was sent, the path belongs to an argument of a component.
 */
export function failureOf(finding: Pick<Finding, "field" | "reason">, sent: Struct | undefined): CheckFailure {
  const [input = ""] = finding.field.split(/[.[]/);
  const value = sent?.toJavaScript()[input];
  const isInput = value !== undefined || input === finding.field;
  const property = isInput && isShowable(value) ? input : "";
  return { property, reason: redacted(property === finding.field ? finding.reason : findingText(finding)) };
}

function isShowable(value: unknown): boolean {
  const text = JSON.stringify(value ?? "");
  return !containsSecret(value) && text.length <= MAX_VALUE_LENGTH && redacted(text) === text;
}
