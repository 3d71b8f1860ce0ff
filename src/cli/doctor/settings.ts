import type { Environment } from "../../process/environment";
import { environmentName, type ConfigReader, type SettingFault, type Settings } from "../../settings/config";
import { configurationFaults } from "../../settings/config-faults";
import type { StackConfig } from "../pulumi/stack-config";
import { fingerprint } from "./lines";
import { line, type Line } from "./report";

interface Found {
  readonly value: string;
  readonly source: string;
}

/** The base URL without a possible password, and its source. */
export function baseUrlFinding(config: ConfigReader, environment: Environment): string {
  const found = find("baseUrl", config, environment);
  if (found === undefined) return "none";
  return `${baseUrlShown(found.value)}, from ${found.source}`;
}

/** Whether there is anything to sign in with. */
export function hasCredential(config: ConfigReader, environment: Environment): boolean {
  return find("apiKey", config, environment) !== undefined;
}

/** A base URL without a possible password. */
export function baseUrlShown(text: string): string {
  if (!URL.canParse(text)) return "not a URL";
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Misspelt keys, and a credential in plain text. A program may still work. */
export function configurationLines(stackConfig: StackConfig): readonly Line[] {
  if (stackConfig.status !== "read") return [];
  const advice = configurationFaults(stackConfig.entries).map(({ reason }) => reason);
  if (advice.length === 0) return [];
  const count = advice.length === 1 ? "one entry" : `${advice.length} entries`;
  return [line("no", "configuration", `${count} to correct, see below`, advice)];
}

/** The dialect, and the reason for it. */
export function dialectFinding({ dialect }: Settings, config: ConfigReader, environment: Environment): string {
  const found = find("dialect", config, environment);
  return `${dialect}, ${found === undefined ? "as the base URL suggests" : `from ${found.source}`}`;
}

/** What is there, and what is wrong with it. */
export function faultLines(
  config: ConfigReader,
  environment: Environment,
  faults: readonly SettingFault[],
): readonly Line[] {
  const [key, baseUrl] = [find("apiKey", config, environment), find("baseUrl", config, environment)];
  const isWrongUrl = faults.some(({ key: of }) => of === "baseUrl");
  const reasons = faults.map(({ reason }) => reason);
  return [
    key === undefined
      ? line("no", "credential", "none")
      : line("unknown", "credential", `${key.source}, fingerprint ${fingerprint(key.value)}`),
    { ...line(isWrongUrl ? "no" : "unknown", "base URL", baseUrlFinding(config, environment), reasons), isFault: true },
    ...(key && baseUrl ? [line("no", "settings", "one of them is wrong, see below")] : []),
  ];
}

function find(
  key: "apiKey" | "baseUrl" | "dialect",
  config: ConfigReader,
  environment: Environment,
): Found | undefined {
  const name = environmentName(key);
  const fromConfig = config(key)?.trim();
  if (fromConfig) return { value: fromConfig, source: `the stack's configuration (cloudinfra:${key})` };
  const fromEnvironment = environment[name]?.trim();
  return fromEnvironment ? { value: fromEnvironment, source: `the environment variable ${name}` } : undefined;
}
