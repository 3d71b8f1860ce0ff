import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Certificate } from "./certificate";

/** A listening socket that records every byte that arrives. */
export interface Listener {
  readonly port: number;
  /** The received bytes, decrypted if the listener speaks TLS. */
  received(): string;
  /** The number of connections. */
  connections(): number;
  close(): Promise<void>;
}

/** A listener without TLS, which answers anything in plain text. */
export function listen(): Promise<Listener> {
  return recorded((record) =>
    createServer((socket) => {
      record(socket);
      socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    }),
  );
}

/** A listener that speaks TLS with this certificate, and answers each request with `answer`. */
export function listenWithTls(certificate: Certificate, answer: object = {}): Promise<Listener> {
  const body = JSON.stringify(answer);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return recorded((record) =>
    createTlsServer(certificate, (socket) => {
      record(socket);
      socket.on("data", () => socket.write(head + body));
    }),
  );
}

/** The proxy's answer to a CONNECT request. `silent`: none. */
export type Tunnel = { readonly to: number } | { readonly refuse: string } | "silent";

/** A proxy. A tunnel always leads to a port of this machine, or is refused with a status line. */
export function listenAsProxy(tunnel: Tunnel): Promise<Listener> {
  return recorded((record) =>
    createServer((socket) => {
      record(socket);
      socket.once("data", () => {
        if (tunnel === "silent") return;
        if ("refuse" in tunnel) {
          socket.end(`HTTP/1.1 ${tunnel.refuse}\r\ncontent-length: 0\r\n\r\n`);
          return;
        }
        const far = connect(tunnel.to, "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
          socket.pipe(far).pipe(socket);
        });
        far.on("error", () => socket.destroy());
      });
    }),
  );
}

async function recorded(make: (record: (socket: Socket) => void) => Server): Promise<Listener> {
  const chunks: Buffer[] = [];
  const sockets: Socket[] = [];
  const ignore = (): void => undefined; // the other side may cut it
  const server = make((socket) => socket.on("error", ignore).on("data", (chunk) => chunks.push(chunk)));
  server.on("connection", (socket: Socket) => sockets.push(socket.on("error", ignore)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received: () => Buffer.concat(chunks).toString("latin1"),
    connections: () => sockets.length,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
