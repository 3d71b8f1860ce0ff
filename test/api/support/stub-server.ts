import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** The answer to a request: status, body (objects as JSON) and headers, or a function that answers. */
export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | ((response: ServerResponse, request: ReceivedRequest) => void);

export interface StubServer {
  readonly url: string;
  readonly port: number;
  readonly arrived: ReceivedRequest[];
  close(): Promise<void>;
}

/** A real HTTP server on loopback with prepared answers, which records the requests. */
export async function startStubServer(answer: (request: ReceivedRequest, count: number) => Reply): Promise<StubServer> {
  const arrived: ReceivedRequest[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url = "", headers, rawHeaders } = message;
      const request = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
      arrived.push(request);
      const reply = answer(request, arrived.length);
      if (typeof reply === "function") {
        reply(response, request);
        return;
      }
      const body = reply.body === undefined || typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    arrived,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
