import { secretsIn } from "./secrets";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** At which request something is to happen, and on which side of its effect. */
export interface Trip {
  readonly nth: number;
  readonly when: "before it arrives" | "after its effect";
  readonly action: () => void;
}

/** Stands before the service, hands every request on, and does one thing at one request, which then gets no answer. */
export class Tripwire {
  /** Requests so far that can change something, as `POST /v1/…`; quotes change nothing. */
  readonly changes: string[] = [];
  /** Secrets that the service has answered with. */
  readonly secrets: string[] = [];
  #requests = 0;
  #trip: Trip | undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {
    server.on("request", (incoming: IncomingMessage, answer: ServerResponse) => void this.#serve(incoming, answer));
  }

  static async start(target: string): Promise<Tripwire> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Tripwire(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on: counts anew. */
  set(trip: Trip | undefined): void {
    this.#requests = 0;
    this.changes.length = 0;
    this.#trip = trip;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    this.#requests += 1;
    const path = url.split("?")[0] ?? "";
    if (method !== "GET" && !path.endsWith("/cost")) this.changes.push(`${method} ${path}`);
    const trip = this.#trip?.nth === this.#requests ? this.#trip : undefined;
    const body = await read(incoming);
    if (trip?.when === "before it arrives") {
      trip.action();
      incoming.socket.destroy();
      return;
    }
    const onward = request(this.target + url, { method, headers }, (response) => {
      void read(response).then((text) => {
        if (trip) {
          trip.action();
          incoming.socket.destroy();
          return;
        }
        this.secrets.push(...secretsIn(text.toString()));
        answer.writeHead(response.statusCode ?? 500, response.headers).end(text);
      });
    });
    onward.on("error", () => incoming.socket.destroy()).end(body);
  }
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
