import { subscribe } from "node:diagnostics_channel";
import type * as grpc from "@grpc/grpc-js";
import { engineRowLog, silentRowLog, type RowLog } from "./lifecycle/row-log";
import { pulumiRequire } from "./pulumi-modules";

/** The address of the engine that started this process: the first argument after the script. Undefined outside an engine. */
export function engineAddress(): string | undefined {
  const address = process.argv[2];
  return address !== undefined && /^[\w.-]+:\d+$/.test(address) ? address : undefined;
}

/** The row log of the engine that started this process. */
export function rowLogOfThisProcess(): RowLog {
  const address = engineAddress();
  return address === undefined ? silentRowLog : engineRowLog(address);
}

/** The longest wait for the engine to take a last line. It gives a plugin a second to end. */
const LAST_WORDS_MS = 500;

/** How the engine ends this process. */
export interface EngineEnd {
  /** Whether a person has cancelled the run. After a second Ctrl-C the engine may not have saved the last answers. */
  readonly isCancelled: boolean;
}

/**
 * Calls `atEnd` when the engine ends this process with a signal, and still accepts lines. Ends the process if the engine is
 * gone, for example killed, because nobody would take its answers. Does nothing outside an engine.
 */
export function endWithEngine(atEnd: (end: EngineEnd) => Promise<void>): void {
  const address = engineAddress();
  if (address === undefined) return;
  let isCancelled = false;
  onCancellation(() => (isCancelled = true));
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) {
    // Once: if the signal comes again, it has its ordinary effect.
    process.once(signal, () => {
      const end = (): boolean => process.kill(process.pid, signal);
      setTimeout(end, LAST_WORDS_MS);
      atEnd({ isCancelled }).then(end, end);
    });
  }
  onEngineGone(address, () => process.exit(1));
}

/**
 * Calls when a person cancels the run. The engine says so at the first Ctrl-C, and waits for the answer before it ends the
 * plugin. Pulumi's server of dynamic providers answers and does not pass it on, so this listens to Node's incoming requests.
 */
export function onCancellation(cancelled: () => void): void {
  subscribe("http2.server.stream.start", (message) => {
    const { headers } = message as { readonly headers: Readonly<Record<string, unknown>> };
    if (headers[":path"] === "/pulumirpc.ResourceProvider/Cancel") cancelled();
  });
}

/** Without polling: the engine's end closes the connection of its log. Returns a function that ends the watch. */
export function onEngineGone(address: string, gone: () => void): () => void {
  // Pulumi's own gRPC, which is already loaded.
  const { Client, connectivityState, credentials } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
  // The engine is on this machine, so no proxy of the environment is used.
  const channel = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 }).getChannel();
  let wasThere = false;
  const look = (): void => {
    // An idle connection connects again, so its state shows whether the engine still listens.
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) wasThere = true;
    if (state === connectivityState.SHUTDOWN) return;
    if (wasThere && state === connectivityState.TRANSIENT_FAILURE) gone();
    else channel.watchConnectivityState(state, Infinity, look);
  };
  look();
  return () => channel.close();
}
