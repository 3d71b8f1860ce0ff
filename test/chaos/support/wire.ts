import { Dispatcher } from "undici";
import type { Clock } from "../../../src/time/clock";
import type { FaultRequest } from "../../../src/simulator/schemas/faults";
import * as does from "../../support/proxy/actions";
import type { Action } from "../../support/proxy/exchange";
import type { FaultProxy } from "../../support/proxy/fault-proxy";
import type { VirtualClock } from "../../support/virtual-clock";
import { idIn, secretsIn } from "./answers";
import { type Effect, type Fault, type FaultKind, type Neighbour, simulatorFaultOf } from "./fault";
import { FaultMeter, isCreation } from "./fault-meter";
import { type AnswerChanges, breakOff, forward, type PendingRequest, untilGivenUp } from "./forward";
import { type LateDeliveries, VanishedOperations } from "./late-and-vanished";
import type { Service } from "./service";

/** How often each kind of fault has really happened. */
export type Hits = Map<string, number>;

/** The parts of a plugin process's connection. */
export interface WireParts {
  readonly service: Service;
  /** The proxy in front of the service. */
  readonly proxy: FaultProxy;
  /** Requests that the client has given up on, but that still reach the service. */
  readonly late: LateDeliveries;
  /** Called with an object that a request delivered twice has made. */
  readonly onTwin: (id: string) => void;
  /** Creates for another person what a request creates now, or has just created. */
  readonly createBeside: (path: string, body: string, neighbour: Neighbour) => Promise<void>;
  /** The clocks of the machine and the service. */
  readonly clock: VirtualClock;
  /** What brings requests to the service. */
  readonly agent: Dispatcher;
  readonly faults: readonly Fault[];
  readonly hits: Hits;
  /** Resolves when the process only waits for answers. */
  readonly atRest: () => Promise<void>;
  /** Called when the process is killed, or ends after a second Ctrl-C. */
  readonly onEnd: (how: "killed" | "Ctrl-C twice") => void;
}

/**
 * The connection of a plugin process, which injects its faults. It sends one request at a time, in order, so that a
 * schedule always gives the same run.
 */
export class Wire extends Dispatcher {
  /** Secrets in the service's answers. */
  readonly secrets: string[] = [];
  isKilled = false;
  #skewMs = 0;
  /** The number of further requests that an ingress answers in the service's place. */
  #lost = 0;
  #running: Promise<void> | undefined;
  readonly #queue: PendingRequest[] = [];
  readonly #meter: FaultMeter;
  readonly #vanished = new VanishedOperations();

  constructor(private readonly parts: WireParts) {
    super();
    this.#meter = new FaultMeter(parts.service, parts.faults);
  }

  /** Requests that can change something, as `POST /v1/…`. */
  get changes(): readonly string[] {
    return this.#meter.changes;
  }

  /** The clock of the process's machine. It stops once the process is killed. */
  readonly clock: Clock = {
    now: () => this.parts.clock.now() + this.#skewMs,
    timeOfDay: () => this.clock.now(),
    sleep: (ms, signal) => (this.isKilled ? new Promise(() => undefined) : this.parts.clock.sleep(ms, signal)),
  };

  /** Called after each answer of the provider, before the engine saves it. Never resolves if the process was killed. */
  beforeSave(): Promise<void> {
    const hit = this.#meter.atSave();
    if (hit && !this.isKilled) this.#kill(hit.kind);
    return this.isKilled ? new Promise(() => undefined) : Promise.resolve();
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#queue.push({ options, handler });
    this.#running ??= this.#serveQueue();
    return true;
  }

  /** Resolves when no request is in flight, so that the requests of a killed process arrive before those of others. */
  async end(): Promise<void> {
    await this.#running;
  }

  async #serveQueue(): Promise<void> {
    for (;;) {
      // Work that needs no answer goes first. The order of the work must not depend on the time of an answer.
      await this.parts.atRest();
      const sent = this.#queue.shift();
      if (!sent) break;
      if (!this.isKilled) await this.#serve(sent);
      // Code of a killed process ends at its next request.
      if (this.isKilled) breakOff(sent);
    }
    this.#running = undefined;
  }

  async #serve(sent: PendingRequest): Promise<void> {
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

  async #serveWith(sent: PendingRequest, effect: Effect | undefined): Promise<void> {
    if (!effect) {
      const hidden = this.#vanished.action(sent.options.path);
      await (hidden ? this.#forwardBy(sent, "operation that vanishes", hidden) : this.#forward(sent));
      return;
    }
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
        await this.#forward(sent, { onAnswer: () => this.parts.clock.advance(effect.seconds * 1000) });
        return;
      case "delivered twice":
      case "delivered twice, then no quota":
        return this.#forwardBy(sent, effect.kind, async (request, pass) => {
          const first = await pass();
          const again = (): ReturnType<typeof pass> => pass(request);
          const second = await (effect.kind === "delivered twice" ? again() : this.parts.service.withoutRoom(again));
          const made = second !== undefined && second.status < 300 ? idIn(first?.body ?? "") : undefined;
          if (made !== undefined) this.parts.onTwin(made);
          return second;
        });
      case "dropped, and delivered later":
        // Other late requests revert later changes, which only a refresh can notice.
        if (!isCreation(sent.options)) return this.#forwardBy(sent, "dropped before the effect", does.dropBefore);
        return this.#forwardBy(sent, effect.kind, (request, pass) => {
          this.parts.late.add(this.parts.clock.now() + effect.seconds * 1000, () => pass(request));
          return Promise.resolve(undefined);
        });
      case "operation that never ends":
        // Nobody can have another object in place of a found one.
        await (this.parts.service.isFound(sent.options.path) ? this.#forward(sent) : this.#forwardWith(sent, effect));
        return;
      case "operation that vanishes":
        this.#vanished.add(await this.#forward(sent));
        return;
      case "failed operation that vanishes":
        this.#vanished.add(await this.#forwardWith(sent, effect));
        return;
      case "status after the effect":
        this.#hit(effect.kind);
        await this.#forward(sent, { status: effect.status });
        return;
      default:
        await this.#forwardWith(sent, effect);
    }
  }

  /** Applies the effects that do not concern the answer. Returns the effect on the answer, if there is one. */
  #meet(options: Dispatcher.DispatchOptions): { readonly effect?: Effect; readonly neighbour?: Neighbour } {
    const { service } = this.parts;
    const { effects, neighbour } = this.#meter.at(options);
    let met: Effect | undefined;
    for (const effect of effects) {
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
        default:
          met ??= effect;
      }
    }
    return { ...(met && { effect: met }), ...(neighbour && { neighbour }) };
  }

  #loseTheWay(sent: PendingRequest): Promise<void> {
    this.#lost -= 1;
    return this.#forwardBy(sent, "404 that is not the API's", does.foreign404);
  }

  /** What the proxy does to this request. */
  async #forwardBy(sent: PendingRequest, kind: FaultKind, action: Action): Promise<void> {
    this.#hit(kind);
    this.parts.proxy.on({ nth: 1 }, action);
    await this.#forward(sent);
  }

  /** The simulator's own faults. */
  async #forwardWith(sent: PendingRequest, effect: Effect): Promise<string> {
    const { faults } = this.parts.service.simulation;
    const { method, path } = sent.options;
    faults.add({
      method: method as FaultRequest["method"],
      path: new RegExp(`^${path.split("?")[0] ?? ""}$`),
      ...simulatorFaultOf(effect),
    });
    const body = await this.#forward(sent);
    if (faults.list().length === 0) this.#hit(effect.kind);
    faults.clear();
    return body;
  }

  /** Resolves with the body of the answer, as far as it came. */
  async #forward(sent: PendingRequest, changes?: AnswerChanges): Promise<string> {
    const body = await forward(this.parts.agent, sent, changes);
    this.secrets.push(...secretsIn(body));
    return body;
  }

  /** The service carries the request out, and the client waits until its own time limit. */
  async #leaveUnanswered(sent: PendingRequest): Promise<void> {
    await this.#forward({ ...sent, handler: {} });
    await untilGivenUp(sent);
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
