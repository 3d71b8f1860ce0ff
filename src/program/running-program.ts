import * as pulumi from "@pulumi/pulumi";
import { configurationFaults } from "../config-faults";

/** Programs that have had their warnings. A process may run several (inline programs). */
const told = new WeakSet();
const noProgram = {};

/** Whether the program runs in a unit test with `pulumi.runtime.setMocks`. Then nothing asks the API. */
export function isMocked(): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor; // the SDK's MockMonitor, of whatever copy of the SDK
}

/** Warns once in a program of faults of the stack's configuration: of all keys, or of those that nobody else warns of. */
export function warnOfConfiguration(isMeant: (key: string) => boolean = () => true): void {
  const program = pulumi.runtime.getStackResource() ?? pulumi.runtime.getMonitor() ?? noProgram;
  if (told.has(program)) return;
  told.add(program);
  if (program === noProgram || isMocked()) return;
  const keys = Object.keys(pulumi.runtime.allConfig()).filter(isMeant);
  const entries = keys.map((key) => ({ key, isSecret: isSecret(key) }));
  for (const fault of configurationFaults(entries, pulumi.getProject())) void pulumi.log.warn(fault);
}

/** The SDK has it, but not in its types. If a later SDK lacks it, the package does not warn. */
function isSecret(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { readonly isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}
