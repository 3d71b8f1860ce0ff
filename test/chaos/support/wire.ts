import { Dispatcher } from "undici";
import * as does from "../../support/proxy/actions";
import { requests, type Action } from "../../support/proxy/exchange";
import type { FaultProxy } from "../../support/proxy/fault-proxy";
import type { Clock } from "../../../src/clock";
import type { FaultEffects } from "../../../src/simulator/model/faults";
import type { LateDeliveries } from "./late-deliveries";
import type { Effect, Fault, FaultKind, Neighbour } from "./schedule";
import type { VirtualClock } from "../../support/virtual-clock";
import { secretsIn } from "./secrets";
import type { Service } from "./service";

interface Sent {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/** How often each kind of fault has really happened. */
export type Hits = Map<string, number>;

/** What one plugin process is connected by. */
export interface WireParts {
  readonly service: Service;
  /** What stands before the service. */
  readonly proxy: FaultProxy;
  /** Requests that the client has given up, and that reach the service all the same. */
  readonly late: LateDeliveries;
  /** Called with the object that a request made which the network then delivered again. */
  readonly onTwin: (id: string) => void;
  /** Creates for somebody else what a request is about to create, or has just created. */
  readonly createBeside: (path: string, body: string, neighbour: Neighbour) => Promise<void>;
  /** What the machine's clock and the service's go by. */
  readonly clock: VirtualClock;
  /** What brings requests to the service. */
  readonly agent: Dispatcher;
  readonly faults: readonly Fault[];
  readonly hits: Hits;
  /** Resolves when nothing goes on in the process that needs no answer. */
  readonly atRest: () => Promise<void>;
  /** Called at the very moment at which the process is killed, or ends after a second Ctrl-C. */
  readonly onEnd: (how: "killed" | "Ctrl-C twice") => void;
}

/**
 * The connection of one plugin process, which lets its faults happen. One request at a time, in the order in which they are
 * sent: so the same schedule always goes the same way.
 */
export class Wire extends Dispatcher {
  /** Secrets that the service has answered with. */
  readonly secrets: string[] = [];
  /** Requests that can change something, as `POST /v1/…`. */
  readonly changes: string[] = [];
  isKilled = false;
  #requests = 0;
  #operations = 0;
  #reads = 0;
  #deletions = 0;
  #saves = 0;
  #skewMs = 0;
  /** So many requests more are answered by an ingress in the service's place. */
  #lost = 0;
  #running: Promise<void> | undefined;
  readonly #queue: Sent[] = [];

  constructor(private readonly parts: WireParts) {
    super();
  }

  /** The clock of the machine that the process runs on; it stands still once the process is killed. */
  readonly clock: Clock = {
    now: () => this.parts.clock.now() + this.#skewMs,
    sleep: (ms, signal) => (this.isKilled ? new Promise(() => undefined) : this.parts.clock.sleep(ms, signal)),
  };

  /** Called after each answer of the provider, before the engine saves it. Never resolves where the process is dead by then. */
  beforeSave(): Promise<void> {
    this.#saves += 1;
    const hit = this.parts.faults.find(({ effect, nth }) => isOfSaves(effect) && nth === this.#saves);
    if (hit && !this.isKilled) this.#kill(hit.effect.kind);
    return this.isKilled ? new Promise(() => undefined) : Promise.resolve();
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#queue.push({ options, handler });
    this.#running ??= this.#serveQueue();
    return true;
  }

  /** Resolves when no request is under way: what a killed process has sent has arrived before anybody else sends. */
  async end(): Promise<void> {
    await this.#running;
  }

  async #serveQueue(): Promise<void> {
    for (;;) {
      // First everybody who can go on without an answer does: when an answer comes is chance, in which turn it is taken is not.
      await this.parts.atRest();
      const sent = this.#queue.shift();
      if (!sent) break;
      if (!this.isKilled) await this.#serve(sent);
      // What is left of a killed process ends at its next request.
      if (this.isKilled) breakOff(sent);
    }
    this.#running = undefined;
  }

  async #serve(sent: Sent): Promise<void> {
    await this.parts.late.deliver(this.parts.clock.now());
    const { effect, neighbour } = this.#meet(sent.options);
    const { createBeside } = this.parts;
    if (effect?.kind === "404 that is not the API's") this.#lost = effect.requests;
    const beside = neighbour && (() => createBeside(sent.options.path, sent.options.body as string, neighbour));
    if (beside) this.#hit("somebody else creates the same");
    if (neighbour?.order === "before") await beside?.();
    await (this.#lost > 0 ? this.#loseTheWay(sent) : this.#serveWith(sent, effect));
    if (neighbour?.order === "after") await beside?.();
  }

  async #serveWith(sent: Sent, effect: Effect | undefined): Promise<void> {
    if (!effect) return this.#forward(sent);
    switch (effect.kind) {
      case "killed before sending":
        this.#kill(effect.kind);
        return;
      case "killed after the effect":
        await this.#forward({ ...sent, handler: {} });
        this.#kill(effect.kind);
        return;
      case "no answer in time":
        this.#hit(effect.kind);
        return this.#leaveUnanswered(sent);
      case "slow answer":
        this.#hit(effect.kind);
        return this.#forward(sent, { onAnswer: () => this.parts.clock.advance(effect.seconds * 1000) });
      case "delivered twice":
        return this.#forwardBy(sent, effect.kind, async (request, forward) => {
          const first = await forward();
          const made = madeBy(first?.body ?? "");
          if (made !== undefined) this.parts.onTwin(made);
          return forward(request);
        });
      case "dropped, and delivered later":
        // What else comes late undoes what was done since: nothing but a refresh can know of it.
        if (!isCreation(sent.options)) return this.#forwardBy(sent, "dropped before the effect", does.dropBefore);
        return this.#forwardBy(sent, effect.kind, (request, forward) => {
          this.parts.late.add(this.parts.clock.now() + effect.seconds * 1000, () => forward(request));
          return Promise.resolve(undefined);
        });
      case "operation that never ends":
        // Nobody can have another object in place of a found one.
        if (this.parts.service.isFound(sent.options.path)) return this.#forward(sent);
        return this.#forwardWith(sent, effect);
      case "status after the effect":
        this.#hit(effect.kind);
        return this.#forward(sent, { status: effect.status });
      default:
        return this.#forwardWith(sent, effect);
    }
  }

  /** Lets happen at once what is no matter of the answer; the effect on the answer, if there is one. */
  #meet(options: Dispatcher.DispatchOptions): { readonly effect?: Effect; readonly neighbour?: Neighbour } {
    const { service, faults } = this.parts;
    const path = options.path.split("?")[0] ?? "";
    const isChange = options.method !== "GET" && !path.endsWith("/cost");
    this.#requests += 1;
    if (isChange) this.changes.push(`${options.method} ${path}`);
    const isOperation = isChange && !service.changesAtOnce(path);
    if (isOperation) this.#operations += 1;
    const isRead = options.method === "GET" && requests.reads.path.test(path);
    if (isRead) this.#reads += 1;
    const isDeletion = options.method === "DELETE";
    if (isDeletion) this.#deletions += 1;
    const counts = {
      requests: this.#requests,
      changes: isChange ? this.changes.length : 0,
      deletions: isDeletion ? this.#deletions : 0,
      reads: isRead ? this.#reads : 0,
    };
    const onOperations = isOperation ? this.#operations : 0;
    let met: Effect | undefined;
    let neighbourMet: Neighbour | undefined;
    for (const { effect, among, nth, neighbour } of faults) {
      const isOfOperations = effect.kind === "failed operation" || effect.kind === "operation that never ends";
      if (nth !== (isOfOperations ? onOperations : counts[among])) continue;
      if (isCreation(options)) neighbourMet ??= neighbour;
      switch (effect.kind) {
        case "credential revoked":
          this.#hit(effect.kind);
          service.revokeCredential();
          break;
        case "service's clock jumps":
          this.#hit(effect.kind);
          service.advance(effect.minutes * 60_000);
          break;
        case "local clock jumps":
          this.#hit(effect.kind);
          this.#skewMs += effect.minutes * 60_000;
          break;
        case "killed before the engine saved":
        case "Ctrl-C twice before the engine saved":
          break;
        default:
          met ??= effect;
      }
    }
    return { ...(met && { effect: met }), ...(neighbourMet && { neighbour: neighbourMet }) };
  }

  #loseTheWay(sent: Sent): Promise<void> {
    this.#lost -= 1;
    return this.#forwardBy(sent, "404 that is not the API's", does.foreign404);
  }

  /** What the proxy does to this one request. */
  async #forwardBy(sent: Sent, kind: FaultKind, action: Action): Promise<void> {
    this.#hit(kind);
    this.parts.proxy.on({ nth: 1 }, action);
    await this.#forward(sent);
  }

  /** The simulator's own faults. */
  async #forwardWith(sent: Sent, effect: Effect): Promise<void> {
    const { faults } = this.parts.service.simulation;
    const { method, path } = sent.options;
    faults.add({ method, path: new RegExp(`^${path.split("?")[0] ?? ""}$`), ...simulatorFaultOf(effect) });
    await this.#forward(sent);
    if (faults.list().length === 0) this.#hit(effect.kind);
    faults.clear();
  }

  #forward(
    { options, handler }: Sent,
    { status, onAnswer }: { readonly status?: number; readonly onAnswer?: () => unknown } = {},
  ): Promise<void> {
    let body = "";
    return new Promise((resolve) => {
      this.parts.agent.dispatch(options, {
        onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
        onResponseStart: (controller, answered, headers, message) => {
          onAnswer?.();
          handler.onResponseStart?.(controller, status ?? answered, headers, message);
        },
        onResponseData: (controller, chunk) => {
          body += chunk.toString();
          if (status === undefined) handler.onResponseData?.(controller, chunk);
        },
        onResponseEnd: (controller, trailers) => {
          this.secrets.push(...secretsIn(body));
          handler.onResponseEnd?.(controller, trailers);
          resolve();
        },
        onResponseError: (controller, error) => {
          handler.onResponseError?.(controller, error);
          resolve();
        },
      });
    });
  }

  /** The service does it, and the client waits in vain until its own time limit. */
  async #leaveUnanswered(sent: Sent): Promise<void> {
    await this.#forward({ ...sent, handler: {} });
    await new Promise<void>((resolve) => {
      const controller = { abort: () => resolve() } as unknown as Dispatcher.DispatchController;
      sent.handler.onRequestStart?.(controller, {});
    });
  }

  #kill(kind: FaultKind): void {
    this.#hit(kind);
    this.parts.onEnd(kind === "Ctrl-C twice before the engine saved" ? "Ctrl-C twice" : "killed");
    this.isKilled = true;
  }

  #hit(kind: FaultKind | "somebody else creates the same"): void {
    this.parts.hits.set(kind, (this.parts.hits.get(kind) ?? 0) + 1);
  }
}

function breakOff({ handler }: Sent): void {
  handler.onResponseError?.(undefined as unknown as Dispatcher.DispatchController, new Error("killed"));
}

/** The id of what an answer to a creation says that it has made. */
function madeBy(body: string): string | undefined {
  try {
    const { resource_id: resourceId, id } = JSON.parse(body) as { readonly resource_id?: string; readonly id?: string };
    return resourceId ?? id;
  } catch {
    return undefined;
  }
}

function isCreation({ method, path }: Dispatcher.DispatchOptions): boolean {
  return method === requests.creations.method && requests.creations.path.test(path);
}

function isOfSaves({ kind }: Effect): boolean {
  return kind === "killed before the engine saved" || kind === "Ctrl-C twice before the engine saved";
}

function simulatorFaultOf(effect: Effect): FaultEffects {
  switch (effect.kind) {
    case "status":
      return { status: effect.status };
    case "dropped before the effect":
      return { drop: "before" };
    case "dropped after the effect":
      return { drop: "after" };
    case "truncated body":
      return { truncate: true };
    case "failed operation":
      return { operation: "fail" };
    case "operation that never ends":
      return { operation: "never" };
    default:
      throw new Error(`"${effect.kind}" is not the simulator's`);
  }
}
