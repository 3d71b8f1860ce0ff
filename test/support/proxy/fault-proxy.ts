import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Action, Forward, ProxyAnswer, ProxyRequest, RequestPattern, RecordedRequest } from "./exchange";

interface Rule {
  readonly pattern: RequestPattern;
  readonly action: Action;
  met: number;
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "connection", "keep-alive"]);

/**
 * A proxy between a client and a service that applies rules to requests. It knows only HTTP. Its faults are those of
 * networks, gateways and slow replicas.
 */
export class FaultProxy {
  /** Every request so far, in order of arrival. */
  readonly requests: RecordedRequest[] = [];
  /** The bodies of the service's answers. */
  readonly bodies: string[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  #rules: Rule[] = [];

  // The tests are about the clients' own limits, so the proxy has none.
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

  /** A proxy for the tests of a file. Its rules are removed after each test. */
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

  /** The base URL for a client, in place of the service's. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Adds a rule. If several match a request, the first is nearest to the client. */
  on(pattern: RequestPattern, action: Action): this {
    this.#rules.push({ pattern, action, met: 0 });
    return this;
  }

  /** Removes all rules. Requests that a rule already delays stay delayed. */
  clear(): void {
    this.#rules = [];
  }

  /** The number of requests so far that match the pattern, ignoring its `nth`. */
  count(pattern: RequestPattern): number {
    return this.requests.filter((requests) => isMet(pattern, requests)).length;
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
    const requests: RecordedRequest = { ...sent, status: undefined };
    this.requests.push(requests);
    let forward: Forward = (as = sent) => this.#forward(as);
    for (const rule of this.#rules.toReversed()) {
      if (!isMet(rule.pattern, sent)) continue;
      rule.met += 1;
      if (!isNth(rule.pattern, rule.met)) continue;
      const onward = forward;
      forward = (as = sent) => rule.action(as, (next = as) => onward(next));
    }
    const answer = await forward();
    requests.status = answer?.status;
    if (answer === undefined) {
      incoming.socket.destroy();
      return;
    }
    // The proxy's own answers have no Date, because a service's clock may be virtual.
    outgoing.sendDate = false;
    // These headers belong to the original body and connection.
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

function isNth({ nth }: RequestPattern, met: number): boolean {
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
