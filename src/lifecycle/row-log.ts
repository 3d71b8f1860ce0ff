import { createRequire } from "node:module";
import type * as grpc from "@grpc/grpc-js";
import { fitToShow } from "../shown-text";

/** Puts text on a resource's own row, in preview and update. */
export interface RowLog {
  /** A line that stays. On a terminal it stands beneath the resource's name, so it has to be complete in itself. */
  line(urn: string, severity: "info" | "warning", text: string): Promise<void>;
  /** What is going on now: replaced by the next one, gone at the end. */
  status(urn: string, text: string): void;
}

/** A row log that says nothing: outside an engine. */
export const silentRowLog: RowLog = { line: () => Promise.resolve(), status: () => undefined };

/** A log whose texts, of which parts come from the service, are fit to be shown. */
export function fitRows(rows: RowLog): RowLog {
  return {
    line: (urn, severity, text) => rows.line(urn, severity, fitToShow(text)),
    status: (urn, text) => rows.status(urn, fitToShow(text)),
  };
}

/**
 * A log that says nothing twice: a replacement that the program forces is told of as an update first, and a display that
 * cannot rewrite a row prints each status as a line of its own.
 */
export function withoutRepeats(rows: RowLog): RowLog {
  const lines = new Set<string>();
  const statuses = new Map<string, string>();
  return {
    line: (urn, severity, text) => {
      const line = JSON.stringify([urn, severity, text]);
      if (lines.has(line)) return Promise.resolve();
      lines.add(line);
      return rows.line(urn, severity, text);
    },
    status: (urn, text) => {
      if (statuses.get(urn) === text) return;
      statuses.set(urn, text);
      rows.status(urn, text);
    },
  };
}

interface EngineClient {
  log(request: unknown, callback: (error: Error | null) => void): void;
}
interface EngineModule {
  readonly EngineClient: new (
    address: string,
    credentials: grpc.ChannelCredentials,
    options: grpc.ClientOptions,
  ) => EngineClient;
}
interface LogRequest {
  setSeverity(severity: number): void;
  setMessage(message: string): void;
  setUrn(urn: string): void;
  setEphemeral(ephemeral: boolean): void;
}
interface EngineMessages {
  readonly LogRequest: new () => LogRequest;
  readonly LogSeverity: { readonly INFO: number; readonly WARNING: number };
}

/**
 * The log of the engine at this address. A log call that fails is let go: a lost line must not fail a deployment.
 */
export function engineRowLog(address: string): RowLog {
  // gRPC comes from where Pulumi has it: credentials of a second copy would be refused.
  const require = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const { credentials } = require("@grpc/grpc-js") as typeof grpc;
  const { EngineClient } = require("@pulumi/pulumi/proto/engine_grpc_pb") as EngineModule;
  const messages = require("@pulumi/pulumi/proto/engine_pb") as EngineMessages;
  // The engine is on this machine: no line goes through a proxy of the environment.
  const client = new EngineClient(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });

  const send = (urn: string, severity: number, text: string, ephemeral: boolean): Promise<void> =>
    new Promise((resolve) => {
      const request = new messages.LogRequest();
      request.setSeverity(severity);
      request.setMessage(text);
      if (urn !== "") request.setUrn(urn);
      request.setEphemeral(ephemeral);
      client.log(request, () => resolve());
    });

  const { INFO, WARNING } = messages.LogSeverity;
  return {
    line: (urn, severity, text) => send(urn, severity === "warning" ? WARNING : INFO, text, false),
    status: (urn, text) => void send(urn, INFO, text, true),
  };
}
