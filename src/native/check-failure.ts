import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { findingText, type Finding } from "../definition/rules";
import { containsSecret } from "../lifecycle/engine-values";
import { fitToShow } from "../text/shown-text";

/** What is wrong with an input, as Check reports it. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** A longer value would hide the reason behind it. */
const LONGEST_VALUE = 500;

/** The failure names its property. The engine then prints the value that the program gave, so a failure of a secret one does not. */
export function failureOf(finding: Pick<Finding, "field" | "reason">, sent: Struct | undefined): CheckFailure {
  const [input = ""] = finding.field.split(/[.[]/);
  const isNamed = finding.field !== "" && isShowable(sent?.toJavaScript()[input]);
  return isNamed
    ? { property: finding.field, reason: fitToShow(finding.reason) }
    : { property: "", reason: fitToShow(findingText(finding)) };
}

function isShowable(value: unknown): boolean {
  const text = JSON.stringify(value ?? "");
  return !containsSecret(value) && text.length <= LONGEST_VALUE && fitToShow(text) === text;
}
