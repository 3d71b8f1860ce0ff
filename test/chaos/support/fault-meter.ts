import type { Dispatcher } from "undici";
import { requests } from "../../support/proxy/exchange";
import type { Effect, Fault, FaultKind, Neighbour } from "./fault";
import type { Service } from "./service";

type Request = Pick<Dispatcher.DispatchOptions, "method" | "path">;

/** Counts the requests of a process, and decides which faults hit a request. */
export class FaultMeter {
  /** Requests that can change something, as `POST /v1/…`. */
  readonly changes: string[] = [];
  #requests = 0;
  #operations = 0;
  #reads = 0;
  #deletions = 0;
  #saves = 0;

  constructor(
    private readonly service: Service,
    private readonly faults: readonly Fault[],
  ) {}

  /** Counts an answer of the provider, before the engine saves it. */
  atSave(): Effect | undefined {
    this.#saves += 1;
    return this.faults.find(({ effect, nth }) => isOfSaves(effect.kind) && nth === this.#saves)?.effect;
  }

  /** Counts a request. Returns the effects on it. */
  at(request: Request): { readonly effects: readonly Effect[]; readonly neighbour?: Neighbour } {
    const path = request.path.split("?")[0] ?? "";
    const isChange = request.method !== "GET" && !/\/(cost|availability)$/.test(path);
    this.#requests += 1;
    if (isChange) this.changes.push(`${request.method} ${path}`);
    const isOperation = isChange && !this.service.changesAtOnce(path);
    if (isOperation) this.#operations += 1;
    const isRead = request.method === "GET" && requests.reads.path.test(path);
    if (isRead) this.#reads += 1;
    const isDeletion = request.method === "DELETE";
    if (isDeletion) this.#deletions += 1;
    const counts = {
      requests: this.#requests,
      changes: isChange ? this.changes.length : 0,
      deletions: isDeletion ? this.#deletions : 0,
      reads: isRead ? this.#reads : 0,
    };
    const onOperations = isOperation ? this.#operations : 0;
    const met = this.faults.filter(
      ({ effect: { kind }, among, nth }) =>
        nth === (isOfOperations(kind) && among !== "deletions" ? onOperations : counts[among]),
    );
    const [neighbour] = isCreation(request) ? met.flatMap((fault) => fault.neighbour ?? []) : [];
    const effects = met.map(({ effect }) => effect).filter(({ kind }) => !isOfSaves(kind));
    return { effects, ...(neighbour && { neighbour }) };
  }
}

/** True if the fault counts operations. */
export function isOfOperations(kind: FaultKind): boolean {
  return kind.includes("operation");
}

/** True if the fault counts the provider's answers to the engine. */
function isOfSaves(kind: FaultKind): boolean {
  return kind.endsWith("before the engine saved");
}

/** Whether a request creates an object. */
export function isCreation({ method, path }: Request): boolean {
  return method === requests.creations.method && requests.creations.path.test(path);
}
