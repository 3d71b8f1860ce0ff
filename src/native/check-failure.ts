import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { findingText, type Finding } from "../definition/rules";
import { containsSecret } from "../engine/values";
import { fitToShow } from "../text/shown-text";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** A longer value would hide the reason behind it. */
const LONGEST_VALUE = 100;

/**
 * The failure names its property, which is an input of the resource: the engine knows the value of no other path. The engine then prints the
 * value that the program gave, so a failure of a secret one does not.
 */
export function failureOf(finding: Pick<Finding, "field" | "reason">, sent: Struct | undefined): CheckFailure {
  const [input = ""] = finding.field.split(/[.[]/);
  const property = isShowable(sent?.toJavaScript()[input]) ? input : "";
  return { property, reason: fitToShow(property === finding.field ? finding.reason : findingText(finding)) };
}

function isShowable(value: unknown): boolean {
  const text = JSON.stringify(value ?? "");
  return !containsSecret(value) && text.length <= LONGEST_VALUE && fitToShow(text) === text;
}
