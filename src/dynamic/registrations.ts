import * as pulumi from "@pulumi/pulumi";

/** One resource of this package in the program, from its constructor to the engine's answer. */
interface Registration {
  readonly name: string;
  readonly urn: string | Promise<string>;
  isAnswered: boolean;
}

/** What a program has registered, as far as a cost summary has to know it. */
interface Registrations {
  readonly resources: Registration[];
  /** The summaries that count everything, and whether one of them has counted. */
  readonly summaries: Map<pulumi.Resource, string>;
  isCounted: boolean;
}

/** The counted resources, and those that wait for something else. */
export interface Counted {
  readonly urns: readonly string[];
  readonly late: readonly string[];
}

/** Shared by copies of the package in one program, of whatever versions: what stands there is frozen. */
const KEY = Symbol.for("pulumi-cloudinfra/registrations/v2");

/** What the registrations hang on. */
interface Holder {
  [KEY]?: Registrations | undefined;
}

/**
 * The registrations of the program that is running. A process may run several programs at a time (inline programs of the
 * automation API): each has its own stack resource, and the registrations hang on that.
 */
export function registrationsOfProgram(): Registrations {
  // Unit tests of a program, with mocks, have no stack resource.
  const holder = (pulumi.runtime.getStackResource() ?? pulumi.runtime.getMonitor() ?? {}) as Holder;
  return (holder[KEY] ??= { resources: [], summaries: new Map(), isCounted: false });
}

/** Notes a resource that has a cost. One that comes when all has been counted is named. */
export function noteRegistration(resource: pulumi.Resource, name: string, urn: string | Promise<string>): void {
  const registrations = registrationsOfProgram();
  if (registrations.isCounted) {
    const summaries = [...registrations.summaries.values()].join(", ");
    const text = `not included in the cost summary ${summaries}: it was registered too late`;
    void pulumi.log.warn(text, resource);
    return;
  }
  const registration: Registration = { name, urn, isAnswered: false };
  registrations.resources.push(registration);
  resource.urn.apply(() => {
    registration.isAnswered = true;
  });
}

/**
 * Waits until the program has registered everything, wherever in it the summary stands, and counts what there is. What waits
 * for the summary, by whatever way, can't be waited for: it is late. Throws a RunError in an inline program of the automation
 * API: its process goes on, so nothing tells when the program is complete.
 */
export function countRegistrations(summary: string): Promise<Counted> {
  const registrations = registrationsOfProgram();
  // Unit tests, with mocks: there is no engine to wait for.
  if (pulumi.runtime.getStackResource() === undefined) return counted(registrations);
  if (!isStartedByPulumi()) {
    throw new pulumi.RunError(
      `CostSummary "${summary}" does not say what to count. In an inline program it cannot know when the program is complete. ` +
        `Name the resources: new CostSummary("${summary}", { resources: [link, rule] }).`,
    );
  }
  return nothingElseToDo().then(() => counted(registrations));
}

async function counted(registrations: Registrations): Promise<Counted> {
  registrations.isCounted = true;
  const answered = registrations.resources.filter(({ isAnswered }) => isAnswered);
  const late = registrations.resources.filter(({ isAnswered }) => !isAnswered);
  return {
    urns: await Promise.all(answered.map(({ urn }) => Promise.resolve(urn))),
    late: late.map(({ name }) => name),
  };
}

/** Whether Pulumi has started this process for the program alone; an inline program runs in a process of somebody else's. */
function isStartedByPulumi(): boolean {
  return /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/.test(require.main?.filename ?? "");
}

/** Resolves when no answer of the engine and nothing else is awaited: then Node is about to end. (A program that failed does end.) */
function nothingElseToDo(): Promise<void> {
  return new Promise((resolve) => {
    process.once("beforeExit", (code) => {
      if (code === 0) resolve();
    });
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
