import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { messages } from "./messages";

// The calls for resources of a provider whose settings only the update will know, because they come from other resources. The engine
// itself seldom sends such calls.

/** The inputs are neither completed nor validated. */
export function deferredCheck(request: wire.CheckRequest): wire.CheckResponse {
  const answer = new messages.CheckResponse();
  answer.setInputs(request.getNews());
  return answer;
}

export function deferredDiff(): wire.DiffResponse {
  const answer = new messages.DiffResponse();
  answer.setChanges(messages.DiffResponse.DiffChanges.DIFF_UNKNOWN);
  return answer;
}
