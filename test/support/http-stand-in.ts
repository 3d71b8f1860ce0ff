import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer in place of the usual one. */
export interface StandInAnswer {
  readonly status: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text in place of the message. */
  readonly body?: unknown;
  /** A text in place of JSON. */
  readonly text?: string;
}

/** A comment as the stand-in stores it. */
export interface StandInComment {
  readonly id: number;
  readonly author: string;
  body: string;
}

/** A server on this machine that stands in for a REST API. */
export abstract class HttpStandIn {
  /** The requests as `METHOD path`, in order. */
  readonly requests: string[] = [];
  #server: Server | undefined;

  async start(): Promise<this> {
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void this.#respond(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.#server = server;
    return this;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  protected get origin(): string {
    const { port } = this.#server?.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The answer to a request with this body. */
  protected abstract answer(request: IncomingMessage, sent: string): StandInAnswer;

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, text, message = "", headers, body } = this.answer(request, Buffer.concat(chunks).toString());
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(text ?? JSON.stringify(body ?? { message }));
  }
}
