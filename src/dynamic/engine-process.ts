import { subscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import type * as grpc from "@grpc/grpc-js";
import { engineRowLog, silentRowLog, type RowLog } from "../lifecycle/row-log";

/** Where the engine that started this process listens: the first argument behind the script. Undefined outside an engine. */
export function engineAddress(): string | undefined {
  const address = process.argv[2];
  return address !== undefined && /^[\w.-]+:\d+$/.test(address) ? address : undefined;
}

/** The row log of the engine that started this process. */
export function rowLogOfThisProcess(): RowLog {
  const address = engineAddress();
  return address === undefined ? silentRowLog : engineRowLog(address);
}

/** How long the engine is waited for to take a last line: it gives a plugin a second to end. */
const LAST_WORDS_MS = 500;

/** How the engine ends this process. */
export interface EngineEnd {
  /** Whether a person has cancelled the run: after a second Ctrl-C the engine may not have saved what it was given. */
  readonly isCancelled: boolean;
}

/**
 * Calls `atEnd` when the engine ends this process, which it does with a signal, and still takes lines; and ends the process where
 * the engine is gone, as after a kill: nobody would take its answers, and the next run wants the field to itself. Outside an
 * engine it does nothing.
 */
export function endWithEngine(atEnd: (end: EngineEnd) => Promise<void>): void {
  const address = engineAddress();
  if (address === undefined) return;
  let isCancelled = false;
  onCancellation(() => (isCancelled = true));
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) {
    // Once: raised again, the signal has its ordinary effect.
    process.once(signal, () => {
      const end = (): boolean => process.kill(process.pid, signal);
      setTimeout(end, LAST_WORDS_MS);
      atEnd({ isCancelled }).then(end, end);
    });
  }
  onEngineGone(address, () => process.exit(1));
}

/**
 * Calls when the engine says that a person cancels the run, which it does at the first Ctrl-C; it waits for the answer before it
 * ends the plugin. Pulumi's server of dynamic providers answers by itself and tells nobody, so the request is seen where Node
 * takes it in.
 */
export function onCancellation(cancelled: () => void): void {
  subscribe("http2.server.stream.start", (message) => {
    const { headers } = message as { readonly headers: Readonly<Record<string, unknown>> };
    if (headers[":path"] === "/pulumirpc.ResourceProvider/Cancel") cancelled();
  });
}

/** Asks for no poll: the engine's end closes the connection that its log uses as well. Returns what ends the watch. */
export function onEngineGone(address: string, gone: () => void): () => void {
  // gRPC comes from where Pulumi has it: it is loaded already.
  const require = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const { Client, connectivityState, credentials } = require("@grpc/grpc-js") as typeof grpc;
  // The engine is on this machine: a proxy of the environment, whose tunnel may end at any time, has nothing to do with it.
  const channel = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 }).getChannel();
  let wasThere = false;
  const look = (): void => {
    // An idle connection is made anew: so the state tells whether the engine still listens.
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) wasThere = true;
    if (state === connectivityState.SHUTDOWN) return;
    if (wasThere && state === connectivityState.TRANSIENT_FAILURE) gone();
    else channel.watchConnectivityState(state, Infinity, look);
  };
  look();
  return () => channel.close();
}
