import { CommandFailure } from "./command-failure";

/** Resolves at SIGINT or SIGTERM, or at the signal of a test. */
export function untilStopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      resolve();
    };
    if (signal === undefined) process.on("SIGINT", stop).on("SIGTERM", stop);
    else if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** Throws CommandFailure if the user can correct why a server cannot listen, otherwise the error. */
export function rejectListening(error: unknown): never {
  // Recognized by its members, because a system error may have the class of another realm.
  const { code, address, port } = Object(error) as { code?: unknown; address?: string; port?: number };
  const listenAddress = [address ?? "the host", ...(port ? [port] : [])].join(":");
  const faults: Readonly<Record<string, string>> = {
    EADDRINUSE: "is in use. Choose another port, or 0 for a free one.",
    EADDRNOTAVAIL: "is not an address of this machine. Choose another --host.",
    EACCES: "may not be used by this user. Choose a port above 1023.",
  };
  const fault = faults[String(code)];
  throw fault === undefined ? error : new CommandFailure(`${listenAddress} ${fault}`, { cause: error });
}
