import { ConfigurationError } from "../api/errors";
import { CONFIG_KEYS, type ConfigKey } from "../engine/settings-list";
import { nameFaults, type ConfigFault } from "../settings/config-faults";
import { settingsOrFaults, type ConfigReader } from "../settings/config";
import type { Environment } from "../process/user-folders";
import { isRecord } from "../definition/compare-values";
import { isUnknown } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { isOwnProvider, OWN_PROVIDER, reservedNameText, urnParts } from "../engine/urn";
import type { CheckFailure } from "./engine-answers";

/** Inputs that the engine adds to those of a provider. */
const ENGINES_OWN: readonly string[] = ["version", "pluginDownloadURL", "parameterization"];

/** Settings whose value an error may show. The engine prints the value if the failure names the property. */
const SHOWABLE: readonly ConfigKey[] = CONFIG_KEYS.filter((key) => key !== "apiKey" && key !== "baseUrl");

/** The settings of one provider resource: those of the stack for the default provider, its own for an explicit one. */
export class ProviderConfig {
  readonly provider: string | undefined;

  readonly #project: string;
  readonly #name: string;

  constructor(
    readonly urn: string,
    private readonly sent: Props = {},
  ) {
    const { name, project } = urnParts(urn);
    this.#project = project;
    this.#name = name;
    this.provider = name === "" || isOwnProvider(name) ? undefined : name;
  }

  /**
   * SDKs send numbers and booleans as they are or as text. Those for Python and Node send the values of enumerations as
   * JSON.
   */
  readonly read: ConfigReader = (key) => {
    const value = this.sent[key];
    if (typeof value === "string") return isUnknown(value) ? undefined : value.replace(/^"(\w*)"$/, "$1");
    return typeof value === "boolean" || typeof value === "number" ? String(value) : undefined;
  };

  /** The settings that are unknown before the update, because they come from other resources. */
  get unknown(): readonly ConfigKey[] {
    return CONFIG_KEYS.filter((key) => isUnknown(this.sent[key]));
  }

  /** Throws ConfigurationError if a setting is unknown. The environment's value may belong to another account. */
  assertKnown(): void {
    const { unknown } = this;
    if (unknown.length > 0) throw new ConfigurationError(`${unknownSettings(unknown)} before the update.`);
  }

  /** True if both are the stack's own provider: resources of the state may have another version than the program. */
  isOtherVersionOf({ urn, provider }: ProviderConfig): boolean {
    const { stack, project } = urnParts(urn);
    const isOwn = this.provider === undefined && provider === undefined;
    const isOfStack = urnParts(this.urn).stack === stack && this.#project === project;
    return isOwn && isOfStack;
  }

  hasSettingsOf({ read }: ProviderConfig): boolean {
    return CONFIG_KEYS.every((key) => this.read(key) === read(key));
  }

  /** All mistakes at once: wrong values, also of the environment, and wrong names. */
  failures(environment: Environment): readonly CheckFailure[] {
    const { unknown } = this;
    const ofValues = settingsOrFaults(this.read, environment, this.provider)
      .faults.filter(({ key }) => !unknown.includes(key))
      .map(({ key, reason }) => ({ property: SHOWABLE.includes(key) ? key : "", reason }));
    const ofForms = CONFIG_KEYS.filter((key) => isRecord(this.sent[key]) || Array.isArray(this.sent[key])).map(
      (key) => ({
        property: SHOWABLE.includes(key) ? key : "",
        reason: `${key} must be one value, and is ${isRecord(this.sent[key]) ? "an object" : "a list"}.`,
      }),
    );
    const ofNames = this.#nameFaults("failure").map((reason) => ({ property: "", reason }));
    return [...this.#ownNameFaults(), ...ofForms, ...ofValues, ...ofNames];
  }

  /**
   * A fault if this is an explicit provider with the name of the stack's own one. The engine puts a version and a
   * download URL into the name of its own provider if they are among the inputs. (A provider `default` without both is
   * taken for its own.)
   */
  #ownNameFaults(): readonly CheckFailure[] {
    const hasVersion = this.sent["version"] !== undefined || this.sent["pluginDownloadURL"] !== undefined;
    const isReserved = isOwnProvider(this.#name) && (this.#name === OWN_PROVIDER) === hasVersion;
    return isReserved ? [{ reason: reservedNameText(this.#name) }] : [];
  }

  warnings(): readonly string[] {
    return this.#nameFaults("warning");
  }

  #nameFaults(wanted: ConfigFault["severity"]): readonly string[] {
    const known: readonly string[] = [...CONFIG_KEYS, ...ENGINES_OWN];
    const unknown = Object.keys(this.sent).filter((name) => !known.includes(name) && !name.startsWith("__"));
    const faults = nameFaults(unknown, this.#project, this.provider);
    return faults.filter(({ severity }) => severity === wanted).map(({ reason }) => reason);
  }
}

/** `region is not known`. */
export function unknownSettings(unknown: readonly ConfigKey[]): string {
  return `${unknown.join(" and ")} ${unknown.length > 1 ? "are" : "is"} not known`;
}
