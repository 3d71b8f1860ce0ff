import { connect } from "node:net";

/** Bytes to write to a connection. */
export type Bytes = string | Buffer;

/** The parts of an answer that tests check. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/**
 * Writes bytes that no HTTP client would send. Returns everything that arrives until the server closes the connection,
 * or, if `thenCut` is set, until the bytes are written.
 */
export function exchange(url: string, bytes: readonly Bytes[], thenCut = false): Promise<readonly RawAnswer[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const part of bytes) socket.write(part);
      if (thenCut) socket.end();
    });
    socket.on("data", (chunk) => received.push(chunk));
    // The server closes the connection if it rejects a request. The rest may still be in transit.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve(answersIn(Buffer.concat(received).toString("latin1")));
    });
  });
}

/** The head of a request that ends the connection, so that `exchange` can end. */
export function head(requestLine: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { host: "127.0.0.1", connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${requestLine} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

/** Parses a sequence of answers, each with a Content-Length or without a body. */
function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest.startsWith("HTTP/1.1 ");) {
    const end = rest.indexOf("\r\n\r\n");
    const headers = rest.slice(0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    answers.push({ status: Number(rest.slice(9, 12)), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
