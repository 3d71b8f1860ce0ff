import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type * as plugin from "@pulumi/pulumi/proto/plugin_pb";
import type * as provider from "@pulumi/pulumi/proto/provider_pb";
import type * as status from "@pulumi/pulumi/proto/status_pb";
import { specialResourceSig, specialSigKey } from "@pulumi/pulumi/runtime/rpc";
import { isRecord } from "../definition/compare-values";
import {
  asSecret,
  containsSecret,
  isSecret,
  secretTexts,
  UNKNOWN,
  unwrapped,
  withoutUndefined,
} from "../engine/values";
import type { Props } from "../definition/rule-context";
import { pulumiRequire } from "../engine/pulumi-modules";
import { isUuid, maskInput, maskSecret } from "../text/redaction";

/** The messages of the engine's protocol, from Pulumi's SDK. */
export const messages = pulumiRequire("@pulumi/pulumi/proto/provider_pb") as typeof provider;
export const { PluginInfo } = pulumiRequire("@pulumi/pulumi/proto/plugin_pb") as typeof plugin;
const { Status } = pulumiRequire("@pulumi/pulumi/proto/status_pb") as typeof status;
export const { Empty: EmptyMessage } = pulumiRequire("google-protobuf/google/protobuf/empty_pb.js") as {
  readonly Empty: typeof Empty;
};
const structs = pulumiRequire("google-protobuf/google/protobuf/struct_pb.js") as { readonly Struct: typeof Struct };
const { Any } = pulumiRequire("google-protobuf/google/protobuf/any_pb.js") as {
  readonly Any: new () => {
    pack(bytes: Uint8Array, name: string): void;
  };
};

type MessageMembers<Message> = {
  [Name in keyof Message as Name extends `set${infer Member}` ? Uncapitalize<Member> : never]?: Message[Name] extends (
    value: infer Value,
  ) => unknown
    ? Value
    : never;
};

/** A message with these members. Each has a setter. */
export function fillMessage<Message extends object>(message: Message, members: MessageMembers<Message>): Message {
  const setters = message as Readonly<Record<string, (value: unknown) => void>>;
  for (const [name, value] of Object.entries(members))
    setters[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.(value);
  return message;
}

/** The gRPC status of an error that has none. */
const UNKNOWN_ERROR = 2;

/**
 * The values that the engine sent, without secret marks. It registers the secrets, so that no text shows them. `urn`:
 * the resource that they belong to.
 */
export function recordOf(struct: Struct | undefined, urn?: string): Record<string, unknown> {
  if (struct === undefined) return {};
  const sent = struct.toJavaScript();
  for (const text of secretTexts(sent))
    if (urn !== undefined) maskInput(urn, text);
    else if (!isUuid(text)) maskSecret(text);
  return withoutReferences(unwrapped(sent)) as Record<string, unknown>;
}

/** Replaces a reference to a resource by its id, or by its URN if it has no id (as a component). */
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isRecord(value)) return value;
  if (value[specialSigKey] === specialResourceSig) return value["id"] === "" ? UNKNOWN : (value["id"] ?? value["urn"]);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutReferences(inner)]));
}

/** Values in the engine's wire format, which has no undefined. */
export function structOf(props: Readonly<Record<string, unknown>>): Struct {
  return structs.Struct.fromJavaScript(withoutUndefinedInside(props) as never);
}

function withoutUndefinedInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefinedInside);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(withoutUndefined(value)).map(([key, inner]) => [key, withoutUndefinedInside(inner)]),
  );
}

/** The details of a failed creation in gRPC's form. With them, the engine keeps the object. */
export function initFailureDetails(id: string, properties: Readonly<Record<string, unknown>>, reason: string): Buffer {
  const members = { id, properties: structOf(properties), reasonsList: [reason] };
  const failed = fillMessage(new messages.ErrorResourceInitFailed(), members);
  const any = new Any();
  any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const details = fillMessage(new Status(), { code: UNKNOWN_ERROR, message: reason });
  details.addDetails(any as never);
  return Buffer.from(details.serializeBinary());
}

// The engine sends secret marks to plugins with components, and expects them to keep the marks. For other plugins it
// does that itself.

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
