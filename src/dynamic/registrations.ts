import * as pulumi from "@pulumi/pulumi";
import { systemClock, type Clock } from "../clock";

/** One resource of this package in the program, from its constructor to the engine's answer. */
interface Registration {
  readonly resource: pulumi.Resource;
  readonly name: string;
  readonly urn: string | Promise<string>;
  /** Undefined until somebody asks. */
  isAnswered?: boolean;
}

/** What a program has registered, as far as a cost summary has to know it. */
export interface Registrations {
  readonly resources: Registration[];
  /** Calls to the engine that it has not answered, of all resources and functions, foreign ones too. */
  outstanding: number;
  /** Grows with whatever happens: while it does, more may come. */
  activity: number;
  /** Told when a call is answered. */
  onAnswer: (() => void)[];
  /** The summaries that count everything, and whether one of them has counted. */
  readonly summaries: Map<pulumi.Resource, string>;
  isCounted: boolean;
}

/** The counted resources, and those that are on their way but wait for something else. */
export interface Counted {
  readonly urns: readonly string[];
  readonly late: readonly string[];
}

/** Shared by copies of the package in one program, of whatever versions: what stands there is frozen. */
const KEY = Symbol.for("pulumi-cloudinfra/registrations/v1");
const WATCHED = Symbol.for("pulumi-cloudinfra/watched/v1");

/** What the registrations hang on. */
interface Holder {
  [KEY]?: Registrations | undefined;
}

/** The calls that a program waits for before it goes on. */
const CALLS = ["registerResource", "readResource", "invoke", "call"] as const;

/** How long a resource whose inputs wait for something outside Pulumi is waited for. */
const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 10;
/** After an answer a program goes on within the same turn; some of the SDK's own steps take one more. */
const QUIET_TURNS = 5;

/**
 * The registrations of the program that is running. A process may run several programs at a time (inline programs of the
 * automation API): each has its own stack resource, and the registrations hang on that.
 */
export function registrationsOfProgram(): Registrations {
  const monitor = pulumi.runtime.getMonitor();
  // Unit tests of a program, with mocks, have no stack resource.
  const holder = (pulumi.runtime.getStackResource() ?? monitor ?? {}) as Holder;
  const registrations = (holder[KEY] ??= {
    resources: [],
    outstanding: 0,
    activity: 0,
    onAnswer: [],
    summaries: new Map(),
    isCounted: false,
  });
  if (monitor !== undefined) watch(monitor, registrations);
  return registrations;
}

/** Notes a resource that has a cost. One that comes when all has been counted is named. */
export function noteRegistration(resource: pulumi.Resource, name: string, urn: string | Promise<string>): void {
  const registrations = registrationsOfProgram();
  if (registrations.isCounted) {
    const summaries = [...registrations.summaries.values()].join(", ");
    const text = `not counted in the cost summary ${summaries}: it was declared after everything else was registered`;
    void pulumi.log.warn(text, resource);
    return;
  }
  registrations.resources.push({ resource, name, urn });
  registrations.activity += 1;
}

/**
 * Waits until nothing of the program is outstanding, wherever in it the summary stands, and counts what there is. What waits
 * for the summary, by whatever way, can't be waited for: it is late.
 */
export async function countRegistrations(clock: Clock = systemClock): Promise<Counted> {
  const registrations = registrationsOfProgram();
  const { resources } = registrations;
  for (let seen = -1, quietSince = clock.now(); ;) {
    await quiet(registrations);
    for (const registration of resources) noteAnswer(registration);
    await clock.sleep(LOOK_AGAIN_MS);
    if (registrations.activity !== seen) {
      seen = registrations.activity;
      quietSince = clock.now();
    } else if (resources.every(({ isAnswered }) => isAnswered) || clock.now() - quietSince >= PATIENCE_MS) {
      break;
    }
  }
  registrations.isCounted = true;
  const answered = resources.filter(({ isAnswered }) => isAnswered);
  const late = resources.filter(({ isAnswered }) => !isAnswered);
  return {
    urns: await Promise.all(answered.map(({ urn }) => Promise.resolve(urn))),
    late: late.map(({ name }) => name),
  };
}

function noteAnswer(registration: Registration): void {
  if (registration.isAnswered !== undefined) return;
  registration.isAnswered = false;
  registration.resource.urn.apply(() => {
    registration.isAnswered = true;
  });
}

/** The name of the cost summary that these arguments or options depend on, if they do: it would wait for its own end. */
export function summaryBehind(args: object, options: pulumi.ResourceOptions | undefined): string | undefined {
  const { summaries } = registrationsOfProgram();
  if (summaries.size === 0) return undefined;
  const found = [...resourcesBehind([args, options?.dependsOn])].find((resource) => summaries.has(resource));
  return found && summaries.get(found);
}

/** The resources that a value is made from, as far as its outputs tell at once. */
function* resourcesBehind(value: unknown): Iterable<pulumi.Resource> {
  if (pulumi.Resource.isInstance(value)) {
    yield value;
  } else if (pulumi.Output.isInstance(value)) {
    // Not in the SDK's types, but what its own dependency tracking stands on.
    const { resources } = value as { readonly resources?: () => Iterable<pulumi.Resource> };
    if (resources) yield* resources();
  } else if (typeof value === "object" && value !== null && !(value instanceof Promise)) {
    for (const member of Object.values(value)) yield* resourcesBehind(member);
  }
}

/** Resolves when the engine owes no answer, and the program has done what followed from the last. */
async function quiet(registrations: Registrations): Promise<void> {
  for (let turns = 0, seen = -1; turns < QUIET_TURNS; turns += 1) {
    if (registrations.outstanding > 0) {
      await new Promise<void>((resolve) => {
        registrations.onAnswer.push(resolve);
      });
      turns = 0;
    }
    await new Promise((resolve) => setImmediate(resolve));
    if (registrations.activity !== seen) turns = 0;
    seen = registrations.activity;
  }
}

/** Counts the calls under way. The SDK has no word for them, but its connection to the engine is public. */
function watch(monitor: object, registrations: Registrations): void {
  if (WATCHED in monitor) return;
  const client = monitor as Record<PropertyKey, unknown>;
  client[WATCHED] = true;
  for (const name of CALLS) {
    const call = client[name];
    if (typeof call === "function") client[name] = watched(call.bind(monitor) as Call, registrations);
  }
}

type Call = (...args: unknown[]) => unknown;

function watched(call: Call, registrations: Registrations): Call {
  return (...args) => {
    const callback = args.at(-1);
    if (typeof callback !== "function") return call(...args);
    registrations.outstanding += 1;
    registrations.activity += 1;
    const answered: Call = (...answer) => {
      registrations.outstanding -= 1;
      registrations.activity += 1;
      (callback as Call)(...answer);
      for (const tell of registrations.onAnswer.splice(0)) tell();
    };
    return call(...args.slice(0, -1), answered);
  };
}
