import * as pulumi from "../engine/pulumi-sdk";

/** A resource of this package in the program, from its constructor to the engine's answer. */
interface Registration {
  readonly name: string;
  readonly urn: string | Promise<string>;
  isAnswered: boolean;
}

interface Registrations {
  readonly resources: Registration[];
  /** The summaries that count all resources, with their names. */
  readonly summaries: Map<pulumi.Resource, string>;
  isCounted: boolean;
}

/**
 * Resolves with true if the program makes a summary that counts all resources. The summary may come after the other
 * resources, so this waits until the synchronous part of the program has ended. Undefined if there is no summary until
 * then.
 */
export function isSummarized(): Promise<true | undefined> {
  const { summaries } = registrationsOfProgram();
  return new Promise((resolve) => {
    setImmediate(() => resolve(summaries.size > 0 ? true : undefined));
  });
}

interface RegistrationCount {
  readonly urns: readonly string[];
  readonly late: readonly string[];
}

/** Copies and versions of the package in one program share it, so its shape must not change. */
const KEY = Symbol.for("pulumi-cloudinfra/registrations/v2");

/**
 * The registrations of the running program. A process may run several programs at a time (inline programs of the
 * Automation API). Each has its own stack resource, which has its registrations.
 */
export function registrationsOfProgram(): Registrations {
  // Unit tests of a program, with mocks, have no stack resource.
  const owner = (pulumi.getStackResource() ?? pulumi.getMonitor() ?? {}) as { [KEY]?: Registrations | undefined };
  return (owner[KEY] ??= { resources: [], summaries: new Map(), isCounted: false });
}

/** Notes a resource that has a cost. Warns instead if the summaries have already counted. */
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
 * Waits until the program has registered all its resources, and counts them. A resource that depends on the summary
 * comes too late. Throws a RunError in an inline program of the Automation API, whose process continues and does not
 * show when the program is complete.
 */
export function countRegistrations(summary: string): Promise<RegistrationCount> {
  const registrations = registrationsOfProgram();
  // In unit tests with mocks, there is no engine to wait for.
  if (pulumi.getStackResource() === undefined) return count(registrations);
  if (!isStartedByPulumi()) {
    throw new pulumi.RunError(
      `CostSummary "${summary}" does not say what to count. In an inline program it cannot know when the program is complete. ` +
        `Name the resources: new CostSummary("${summary}", { resources: [link, rule] }).`,
    );
  }
  return nothingElseToDo().then(() => count(registrations));
}

async function count(registrations: Registrations): Promise<RegistrationCount> {
  registrations.isCounted = true;
  const answered = registrations.resources.filter(({ isAnswered }) => isAnswered);
  const late = registrations.resources.filter(({ isAnswered }) => !isAnswered);
  return {
    urns: await Promise.all(answered.map(({ urn }) => Promise.resolve(urn))),
    late: late.map(({ name }) => name),
  };
}

/**
 * True if Pulumi started this process for the program alone. An inline program runs in the process of another program.
 */
function isStartedByPulumi(): boolean {
  return /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/.test(require.main?.filename ?? "");
}

/**
 * Resolves when Node is about to end, because nothing is pending any longer, not even an answer of the engine. Never
 * resolves if the program has failed.
 */
function nothingElseToDo(): Promise<void> {
  return new Promise((resolve) => {
    process.once("beforeExit", (code) => {
      if (code === 0) resolve();
    });
  });
}

/**
 * The name of the cost summary on which these arguments or options depend. (The summary would then wait for itself.)
 * Undefined if there is none.
 */
export function summaryBehind(args: object, options: pulumi.ResourceOptions | undefined): string | undefined {
  const { summaries } = registrationsOfProgram();
  if (summaries.size === 0) return undefined;
  const found = [...resourcesBehind([args, options?.dependsOn])].find((resource) => summaries.has(resource));
  return found && summaries.get(found);
}

/** The resources from which a value is made, as far as its outputs know them at once. */
function* resourcesBehind(value: unknown): Iterable<pulumi.Resource> {
  if (pulumi.Resource.isInstance(value)) {
    yield value;
  } else if (pulumi.Output.isInstance(value)) {
    // Not in the SDK's types, but the SDK uses it for its dependency tracking.
    const { resources } = value as { readonly resources?: () => Iterable<pulumi.Resource> };
    if (resources) yield* resources();
  } else if (typeof value === "object" && value !== null && !(value instanceof Promise)) {
    for (const member of Object.values(value)) yield* resourcesBehind(member);
  }
}
