import type { Environment } from "../../process/environment";
import {
  environmentName,
  settingsOrFaults,
  type ConfigReader,
  type SettingFault,
  type Settings,
} from "../../settings/config";
import { configurationFaults } from "../../settings/config-faults";
import type { StackConfig } from "../pulumi/stack-config";
import { fingerprint } from "./lines";
import type { Line, Report } from "./report";

interface Found {
  readonly value: string;
  readonly source: string;
}

export type SettingsFindings =
  { readonly status: "good"; readonly settings: Settings } | ({ readonly status: "bad" } & Report);

/** Reads the settings as the provider does. */
export function findSettings(config: ConfigReader, environment: Environment): SettingsFindings {
  const { settings, faults } = settingsOrFaults(config, environment);
  if (settings) return { status: "good", settings };
  return { status: "bad", ...faultReport(config, environment, faults) };
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
  return URL.canParse(text) ? withoutSecrets(new URL(text)) : "not a URL";
}

/** Misspelt keys, and a credential in plain text. A program may still work. */
export function configurationReport(stackConfig: StackConfig): Report {
  const advice =
    stackConfig.status === "read" ? configurationFaults(stackConfig.entries).map(({ reason }) => reason) : [];
  const findings =
    advice.length === 0
      ? []
      : [`${advice.length === 1 ? "one entry" : `${advice.length} entries`} to correct, see below`];
  return { lines: findings.map((finding) => ({ verdict: "no", subject: "configuration", finding })), advice };
}

/** The dialect, and the reason for it. */
export function dialectFinding({ dialect }: Settings, config: ConfigReader, environment: Environment): string {
  const found = find("dialect", config, environment);
  return `${dialect}, ${found === undefined ? "as the base URL suggests" : `from ${found.source}`}`;
}

function faultReport(config: ConfigReader, environment: Environment, faults: readonly SettingFault[]): Report {
  const [key, baseUrl] = [find("apiKey", config, environment), find("baseUrl", config, environment)];
  const lines: Line[] = [
    key === undefined
      ? { verdict: "no", subject: "credential", finding: "none" }
      : { verdict: "unknown", subject: "credential", finding: `${key.source}, fingerprint ${fingerprint(key.value)}` },
    {
      verdict: faults.some(({ key: of }) => of === "baseUrl") ? "no" : "unknown",
      subject: "base URL",
      finding: baseUrlFinding(config, environment),
    },
  ];
  if (key && baseUrl) lines.push({ verdict: "no", subject: "settings", finding: "one of them is wrong, see below" });
  return { lines, advice: faults.map(({ reason }) => reason) };
}

type Key = "apiKey" | "baseUrl" | "dialect";

function find(key: Key, config: ConfigReader, environment: Environment): Found | undefined {
  const name = environmentName(key);
  const fromConfig = config(key)?.trim();
  if (fromConfig) return { value: fromConfig, source: `the stack's configuration (cloudinfra:${key})` };
  const fromEnvironment = environment[name]?.trim();
  return fromEnvironment ? { value: fromEnvironment, source: `the environment variable ${name}` } : undefined;
}

function withoutSecrets({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
