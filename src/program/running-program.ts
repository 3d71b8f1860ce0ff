import * as pulumi from "../engine/pulumi-sdk";
import { printsDebugMessages } from "../process/cli-process";
import { configurationFaults } from "../settings/config-faults";

/**
 * The errors of the programs that were already checked. A process may run several programs (inline programs). Pulumi
 * shows an error once, however many resources and functions throw it.
 */
const checked = new WeakMap<object, pulumi.RunError | undefined>();
const noProgram = {};

/** True if the program runs in a unit test with `pulumi.runtime.setMocks`. Then no request goes to the API. */
export function isMocked(): boolean {
  const monitor: object | undefined = pulumi.getMonitor();
  return monitor !== undefined && "mocks" in monitor; // the MockMonitor of any copy of the SDK
}

const SECRETS_IN_DEBUG_MESSAGES =
  "This run prints debug messages (--debug). In them, Pulumi's SDK for Node shows the secrets of API keys and the kubeconfigs of this program " +
  "in plain text, and Pulumi Cloud keeps them. Protect this output as you protect the keys. If others can read it, rotate the keys.";

/**
 * Checks the stack's configuration once in a program: all keys, or those for which `isMeant` is true. Warns, or throws
 * pulumi.RunError for keys that do not exist. It also warns of secrets in debug messages.
 */
export function checkConfiguration(isMeant: (key: string) => boolean = () => true): void {
  const program = pulumi.getStackResource() ?? pulumi.getMonitor() ?? noProgram;
  if (!checked.has(program)) {
    const failures = program === noProgram || isMocked() ? [] : failuresOf(isMeant);
    checked.set(program, failures.length === 0 ? undefined : new pulumi.RunError(failures.join("\n")));
  }
  const error = checked.get(program);
  if (error) throw error;
}

function failuresOf(isMeant: (key: string) => boolean): readonly string[] {
  if (printsDebugMessages()) void pulumi.log.warn(SECRETS_IN_DEBUG_MESSAGES);
  const keys = Object.keys(pulumi.allConfig()).filter(isMeant);
  const entries = keys.map((key) => ({ key, isSecret: isSecret(key) }));
  const faults = configurationFaults(entries, pulumi.getProject());
  for (const { severity, reason } of faults) if (severity === "warning") void pulumi.log.warn(reason);
  return faults.filter(({ severity }) => severity === "failure").map(({ reason }) => reason);
}

/** Uses a function that is not in the SDK's types. If a later SDK does not have it, the package does not warn. */
function isSecret(key: string): boolean {
  const { isConfigSecret } = pulumi as { readonly isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}
