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
  const fault = listenFault(error);
  throw fault === undefined ? error : new CommandFailure(fault, { cause: error });
}

function listenFault(error: unknown): string | undefined {
  // Recognized by its members, because a system error may have the class of another realm.
  const { code, address, port } = Object(error) as { code?: unknown; address?: string; port?: number };
  const listenAddress = [address ?? "the host", ...(port ? [port] : [])].join(":");
  switch (code) {
    case "EADDRINUSE":
      return `${listenAddress} is in use. Choose another port, or 0 for a free one.`;
    case "EADDRNOTAVAIL":
      return `${listenAddress} is not an address of this machine. Choose another --host.`;
    case "EACCES":
      return `${listenAddress} may not be used by this user. Choose a port above 1023.`;
    default:
      return undefined;
  }
}
