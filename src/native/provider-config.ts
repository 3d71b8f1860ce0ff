import { CONFIG_KEYS, keyNearestTo, type ConfigKey } from "../config-keys";
import { settingFaults, type ConfigReader, type Environment } from "../config";
import { isRecord, isUnknown } from "../lifecycle/engine-values";
import type { Props } from "../lifecycle/kind";
import { isOwnProvider, urnParts } from "../urn";

/** What the engine itself adds to a provider's inputs. */
const ENGINES_OWN: readonly string[] = ["version", "pluginDownloadURL", "parameterization"];

/** Settings whose value an error may show. The engine prints it if the failure names its property. */
const SHOWABLE: readonly ConfigKey[] = CONFIG_KEYS.filter((key) => key !== "apiKey" && key !== "baseUrl");

/** A mistake in the settings of a provider, as CheckConfig reports it. */
export interface ConfigFailure {
  readonly property: string;
  readonly reason: string;
}

/** The settings of one provider resource: those of the stack for the default provider, its own for an explicit one. */
export class ProviderConfig {
  /** The name of an explicit provider. */
  readonly provider: string | undefined;

  constructor(
    urn: string,
    private readonly sent: Props = {},
  ) {
    const { name } = urnParts(urn);
    this.provider = name === "" || isOwnProvider(name) ? undefined : name;
  }

  /** SDKs send numbers and booleans as such, or as text. */
  readonly read: ConfigReader = (key) => {
    const value = this.sent[key];
    if (typeof value === "string") return isUnknown(value) ? undefined : value;
    return typeof value === "boolean" || typeof value === "number" ? String(value) : undefined;
  };

  /** Settings that only the update will know, because they come from other resources. */
  get unknown(): readonly ConfigKey[] {
    return CONFIG_KEYS.filter((key) => isUnknown(this.sent[key]));
  }

  /** All mistakes at once: of values, in whatever place they stand, and of names. */
  failures(environment: Environment): readonly ConfigFailure[] {
    const { unknown } = this;
    const ofValues = settingFaults(this.read, environment, this.provider)
      .filter(({ key }) => !unknown.includes(key))
      .map(({ key, reason }) => ({ property: SHOWABLE.includes(key) ? key : "", reason }));
    const ofForms = CONFIG_KEYS.filter((key) => isRecord(this.sent[key]) || Array.isArray(this.sent[key])).map(
      (key) => ({
        property: "",
        reason: `${key} must be one value, and is ${isRecord(this.sent[key]) ? "an object" : "a list"}.`,
      }),
    );
    // In the stack's configuration, a project of the same name has its own settings. Those are warnings.
    const ofNames = this.provider === undefined ? [] : this.#strangers().map((reason) => ({ property: "", reason }));
    return [...ofForms, ...ofValues, ...ofNames];
  }

  /** What is not wrong enough to stop. */
  warnings(): readonly string[] {
    return this.provider === undefined ? this.#strangers() : [];
  }

  #strangers(): readonly string[] {
    const known: readonly string[] = [...CONFIG_KEYS, ...ENGINES_OWN];
    const strangers = Object.keys(this.sent).filter((name) => !known.includes(name) && !name.startsWith("__"));
    return strangers.map((name) => {
      const nearest = keyNearestTo(name);
      const advice = nearest === undefined ? `The settings are ${CONFIG_KEYS.join(", ")}` : `Did you mean ${nearest}?`;
      return `There is no setting ${JSON.stringify(name)}. ${advice}${nearest === undefined ? "." : ""}`;
    });
  }
}
