import type * as grpc from "@grpc/grpc-js";
import type * as engine from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/engine_pb";
import { pulumiRequire } from "./pulumi-modules";
import { redacted } from "../text/redaction";

export const STACK = "";

/**
 * How a line is shown. `passing`: on the row while the run goes on, but neither under "Diagnostics" nor in the final
 * table of a terminal.
 */
export type Severity = "info" | "warning" | "passing";

/** Puts text on a resource's own row, in preview and update, or on that of the stack. */
export interface RowLog {
  /** Writes a lasting line. It must be understood alone, because a terminal shows it below the resource's name. */
  line(urn: string, severity: Severity, text: string): Promise<void>;
  /** Shows the present activity. The next text replaces it, and it disappears at the end. */
  status(urn: string, text: string): void;
}

/** Joins the lines of a text, because a row has one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

/** A row log without output, outside an engine. */
export const silentRowLog: RowLog = { line: () => Promise.resolve(), status: () => undefined };

/** A log that makes texts safe to show (`redacted`), because parts of them come from the API. */
export function redactedRows(rows: RowLog): RowLog {
  return {
    line: (urn, severity, text) => rows.line(urn, severity, redacted(text, urn)),
    status: (urn, text) => rows.status(urn, redacted(text, urn)),
  };
}

/**
 * A log that leaves out repeated texts. A forced replacement is first compared as an update, so texts come twice. And a
 * display that cannot rewrite a row prints each status as a line.
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

/** The log of the engine at this address. It ignores a failed call, because a lost line must not fail a deployment. */
export function engineRowLog(address: string): RowLog {
  // Pulumi's own copy of gRPC, which refuses the credentials of another copy.
  const { credentials } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
  const { EngineClient } = pulumiRequire("@pulumi/pulumi/proto/engine_grpc_pb") as typeof engine;
  const { LogRequest, LogSeverity } = pulumiRequire("@pulumi/pulumi/proto/engine_pb") as typeof messages;
  // The engine is on this machine, so no proxy of the environment is used.
  const client = new EngineClient(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });

  const send = (urn: string, severity: messages.LogSeverity, text: string, ephemeral: boolean): Promise<void> =>
    new Promise((resolve) => {
      const request = new LogRequest();
      request.setSeverity(severity);
      request.setMessage(text);
      if (urn !== STACK) request.setUrn(urn);
      request.setEphemeral(ephemeral);
      client.log(request, () => resolve());
    });

  const { INFO, WARNING } = LogSeverity;
  return {
    line: (urn, severity, text) => send(urn, severity === "warning" ? WARNING : INFO, text, severity === "passing"),
    status: (urn, text) => void send(urn, INFO, text, true),
  };
}
