import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord } from "../definition/compare-values";
import { asSecret, containsSecret, isSecret } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";

// The engine sends secret marks to plugins with components, and expects them to keep the marks. For other plugins it does that itself.

export function hasSecret(sent: Struct | undefined): boolean {
  return containsSecret(sent?.toJavaScript());
}

/** Marks the properties as secret that the engine has sent as secrets. */
export function withMarksOf(sent: Struct | undefined, props: Props): Props {
  return sent === undefined ? props : markProps(props, sent.toJavaScript());
}

function markProps(props: Props, sent: Readonly<Record<string, unknown>>): Props {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => [
      name,
      Object.hasOwn(sent, name) ? markValue(sent[name], value) : value,
    ]),
  );
}

function markValue(sent: unknown, value: unknown): unknown {
  if (value === undefined || isSecret(value)) return value;
  if (isRecord(value) && isRecord(sent) && !isSecret(sent)) return markProps(value, sent);
  return containsSecret(sent) ? asSecret(value) : value;
}
