import type * as grpc from "@grpc/grpc-js";
import { engineRowLog, silentRowLog, type RowLog } from "../engine/row-log";
import { pulumiRequire } from "../engine/pulumi-modules";

let attached: string | undefined;

/**
 * Notes the engine that uses this process, which a person has started (`PULUMI_DEBUG_PROVIDERS`). The next run may have
 * another engine.
 */
export function attachTo(address: string): void {
  attached = address;
}

/**
 * The address of the engine that uses this process now, or that started it: the first argument after the script.
 * Undefined outside an engine.
 */
export function engineAddress(): string | undefined {
  const address = attached ?? process.argv[2];
  return address !== undefined && /^[\w.-]+:\d+$/.test(address) ? address : undefined;
}

export function rowLogOfThisProcess(): RowLog {
  const logs = new Map<string, RowLog>();
  const current = (): RowLog => {
    const address = engineAddress();
    if (address === undefined) return silentRowLog;
    const log = logs.get(address) ?? engineRowLog(address);
    logs.set(address, log);
    return log;
  };
  return {
    line: (urn, severity, text) => current().line(urn, severity, text),
    status: (urn, text) => current().status(urn, text),
  };
}

/** The time limit for the last lines. The engine gives a plugin a second to end. */
const FLUSH_TIMEOUT_MS = 500;

/**
 * Calls `atEnd` when the engine ends this process with a signal, while it still accepts lines. Does nothing outside an
 * engine.
 */
export function endWithEngine(atEnd: () => Promise<void>): void {
  if (engineAddress() === undefined) return;
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) {
    // Once, so that a second signal has its ordinary effect.
    process.once(signal, () => {
      const end = (): boolean => process.kill(process.pid, signal);
      setTimeout(end, FLUSH_TIMEOUT_MS);
      atEnd().then(end, end);
    });
  }
}

/**
 * Called when this process starts. If the engine disappears, for example because it is killed, ends the process at
 * once. Does nothing outside an engine, or in a process that a person has started.
 */
export function endIfEngineDisappears(): void {
  const address = engineAddress();
  if (address !== undefined && attached === undefined) onEngineEnd(address, () => process.exit(1));
}

/** The engine listens before it starts a plugin. If it does not answer within this time, it was killed meanwhile. */
const FIRST_CONTACT_MS = 2_000;

/**
 * Calls `onEnd` when the engine has ended. It does not poll: the engine's end closes the connection of its log. Returns
 * a function that ends the watch.
 */
export function onEngineEnd(address: string, onEnd: () => void): () => void {
  // Pulumi's own gRPC, which is already loaded.
  const { Client, connectivityState, credentials } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
  // The engine is on this machine, so no proxy of the environment is used.
  const channel = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 }).getChannel();
  let wasThere = false;
  const look = (late?: Error): void => {
    // `true`: an idle connection connects again, so that its state shows whether the engine still listens.
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) wasThere = true;
    if (state === connectivityState.SHUTDOWN) return;
    const hasFailed = state === connectivityState.TRANSIENT_FAILURE;
    if (hasFailed && (wasThere || late)) onEnd();
    else channel.watchConnectivityState(state, hasFailed ? Date.now() + FIRST_CONTACT_MS : Infinity, look);
  };
  look();
  return () => channel.close();
}
