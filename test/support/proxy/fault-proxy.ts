import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Action, Forward, ProxyAnswer, ProxyRequest, RequestPattern, SeenRequest } from "./exchange";

interface Rule {
  readonly pattern: RequestPattern;
  readonly action: Action;
  met: number;
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "connection", "keep-alive"]);

/**
 * Stands between a client and a service, hands requests on, and does what its rules say. It knows HTTP and nothing of either:
 * what it does wrong on purpose is what networks, gateways and slow copies do.
 */
export class FaultProxy {
  /** Every request so far, in the order in which they came. */
  readonly seen: SeenRequest[] = [];
  /** The bodies that the service has answered with. */
  readonly bodies: string[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  #rules: Rule[] = [];

  // The clients' own limits are what is tested, and none of the proxy's.
  readonly #server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });

  private constructor(private readonly target: () => string) {
    this.#server.on("request", (incoming: IncomingMessage, answer: ServerResponse) => {
      this.#serve(incoming, answer).catch(() => incoming.socket.destroy());
    });
  }

  /** Listens on a free port of this machine. */
  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(() => target);
    await proxy.#listen();
    return proxy;
  }

  /** A proxy for the tests of a file, without rules at the end of each. */
  static forSuite(service: { readonly simulator: { readonly url: string } }): FaultProxy {
    const proxy = new FaultProxy(() => service.simulator.url);
    beforeAll(() => proxy.#listen());
    afterEach(() => proxy.clear());
    afterAll(() => proxy.close());
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The base URL to give a client in the place of the service's. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Adds a rule. Where several meet a request, the first is nearest to the client. */
  on(pattern: RequestPattern, action: Action): this {
    this.#rules.push({ pattern, action, met: 0 });
    return this;
  }

  /** Takes all rules away. What they hold already is still held. */
  clear(): void {
    this.#rules = [];
  }

  /** How many requests so far have come that the pattern meets; its `nth` is left out. */
  count(pattern: RequestPattern): number {
    return this.seen.filter((seen) => isMet(pattern, seen)).length;
  }

  close(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const sent = await readRequest(incoming);
    const seen: SeenRequest = { ...sent, status: undefined };
    this.seen.push(seen);
    let forward: Forward = (as = sent) => this.#forward(as);
    for (const rule of this.#rules.toReversed()) {
      if (!isMet(rule.pattern, sent)) continue;
      rule.met += 1;
      if (!isTurn(rule.pattern, rule.met)) continue;
      const onward = forward;
      forward = (as = sent) => rule.action(as, (next = as) => onward(next));
    }
    const answer = await forward();
    seen.status = answer?.status;
    if (answer === undefined) {
      incoming.socket.destroy();
      return;
    }
    // The body may be another one by now, and the connection to the client is another one.
    const headers = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name));
    outgoing.writeHead(answer.status, {
      ...Object.fromEntries(headers),
      "content-length": Buffer.byteLength(answer.body),
    });
    outgoing.end(answer.body);
  }

  #forward({ method, path, query, headers, body }: ProxyRequest): Promise<ProxyAnswer> {
    return new Promise((resolve, reject) => {
      const onward = request(
        this.target() + path + query,
        { method, headers: { ...headers, host: new URL(this.target()).host }, agent: this.#agent },
        (response) => {
          read(response).then((text) => {
            this.bodies.push(text);
            resolve({ status: response.statusCode ?? 500, headers: response.headers, body: text });
          }, reject);
        },
      );
      onward.on("error", reject).end(body);
    });
  }
}

function isMet({ method, path, when }: RequestPattern, request: ProxyRequest): boolean {
  const isPath = path === undefined || path.test(request.path);
  return (method === undefined || method === request.method) && isPath && when?.(request) !== false;
}

function isTurn({ nth }: RequestPattern, met: number): boolean {
  if (nth === undefined) return true;
  return typeof nth === "number" ? nth === met : nth.includes(met);
}

async function readRequest(incoming: IncomingMessage): Promise<ProxyRequest> {
  const { method = "GET", url = "/", headers } = incoming;
  const [path = "", ...query] = url.split("?");
  return { method, path, query: query.length === 0 ? "" : `?${query.join("?")}`, headers, body: await read(incoming) };
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
