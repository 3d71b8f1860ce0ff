import { createRun, type Run, type RunOptions } from "../../src/lifecycle/run/run";
import { pluginCallsOf, type CheckedProps, type PluginCalls } from "../../src/dynamic/plugin-calls";
import { programFactsOf, type ProgramFacts } from "../../src/engine/program-facts";
import type { RowLog, Severity } from "../../src/engine/row-log";
import { kinds, localKinds } from "../../src/resources/registry";
import type { Clock } from "../../src/time/clock";
import { VirtualClock } from "./virtual-clock";

/** One line on a resource's row. */
export interface RowLine {
  readonly urn: string;
  readonly severity: Severity;
  readonly text: string;
}

/** The lifecycle without an engine: what a plugin process has, with its row lines recorded. */
export interface TestRun {
  readonly run: Run;
  readonly lines: RowLine[];
  /** The activities that the rows have shown, in order. */
  readonly statuses: readonly string[];
  /** The texts of all lines, and of the warnings. */
  texts(): string[];
  warnings(): string[];
  of(type: string): PluginCalls;
}

/** The options of a run besides its configuration. */
export type TestRunOptions = Pick<
  RunOptions,
  | "client"
  | "environment"
  | "journal"
  | "provider"
  | "costsFile"
  | "objectsFile"
  | "announced"
  | "kindOf"
  | "permissionTable"
  | "cancelled"
>;

export function startRun(
  config: Readonly<Record<string, string | undefined>> = {},
  clock: Clock = new VirtualClock(),
  parts: TestRunOptions = {},
): TestRun {
  const lines: RowLine[] = [];
  const statuses: string[] = [];
  const rows: RowLog = {
    line: (urn, severity, text) => {
      lines.push({ urn, severity, text });
      return Promise.resolve();
    },
    status: (_urn, text) => void statuses.push(text),
  };
  const settings: Readonly<Record<string, string | undefined>> = {
    baseUrl: "http://127.0.0.1:9",
    apiKey: "test-credential",
    costQuotes: "false",
    preflight: "off",
    ...config,
  };
  const run = createRun({ config: (key) => settings[key], environment: {}, clock, rows, ...parts });
  return {
    run,
    lines,
    statuses,
    texts: () => lines.map(({ text }) => text),
    warnings: () => lines.flatMap(({ severity, text }) => (severity === "warning" ? [text] : [])),
    of: (type) => {
      const kind = [...kinds, ...localKinds].find((candidate) => candidate.type === type);
      if (!kind) throw new Error(`no kind ${type}`);
      return pluginCallsOf(kind, () => run);
    },
  };
}

export function urnOf(type: string, name: string, stack = "dev"): string {
  return `urn:pulumi:${stack}::test::pulumi-nodejs:dynamic/cloudinfra:${type}::${name}`;
}

/** The inputs of a resource as its class sends them. */
export function sent(
  type: string,
  name: string,
  args: object,
  isPreview = true,
  stack = "dev",
): Record<string, unknown> {
  return { ...args, __provider: "loader", __program: { isPreview, urn: urnOf(type, name, stack) } };
}

/** The check of a new resource. */
export function checkNew(run: TestRun, type: string, args: object, name = "x"): Promise<CheckedProps> {
  return run.of(type).check({}, sent(type, name, args));
}

/** The same inputs with other facts of the program, for example another URN. */
export function withFacts(inputs: Record<string, unknown>, facts: Partial<ProgramFacts>): Record<string, unknown> {
  return { ...inputs, __program: { ...programFactsOf(inputs), ...facts } };
}
