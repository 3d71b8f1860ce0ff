import { ConfigurationError } from "../api/errors";
import { CONFIG_KEYS, type ConfigKey } from "../engine/settings-list";
import { nameFaults, type ConfigFault } from "../settings/config-faults";
import { settingsOrFaults, type ConfigReader } from "../settings/config";
import type { Environment } from "../process/user-folders";
import { isRecord } from "../definition/compare-values";
import { isUnknown, asSecret, UNKNOWN } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { isOwnProvider, OWN_PROVIDER, reservedNameText, urnParts } from "../engine/urn";
import { type CheckFailure, checkAnswer, diffAnswer } from "./engine-answers";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { type CostFile, shareUnknownSettings } from "../lifecycle/pricing/run-costs";
import { STACK, type RowLog } from "../engine/row-log";
import { moveText, SavedSettings } from "../lifecycle/run/saved-settings";
import { differencesIn } from "./preview-answers";
import { fillMessage, messages, recordOf } from "./messages";

/** Inputs that the engine adds to those of a provider. */
const ENGINES_OWN: readonly string[] = ["version", "pluginDownloadURL", "parameterization"];

/** Settings whose value an error may show. The engine prints the value if the failure names the property. */
const SHOWABLE: readonly ConfigKey[] = CONFIG_KEYS.filter((key) => key !== "apiKey" && key !== "baseUrl");

/** The settings of one provider resource: those of the stack for the default provider, its own for an explicit one. */
class ProviderConfig {
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
function unknownSettings(unknown: readonly ConfigKey[]): string {
  return `${unknown.join(" and ")} ${unknown.length > 1 ? "are" : "is"} not known`;
}

/** The engine's calls about the provider itself: its settings are checked, compared, and then used. */
export class ConfigService {
  #current: ProviderConfig | undefined;
  /** The reference to the provider resource with these settings, `<urn>::<id>`. Undefined before Configure. */
  reference: string | undefined;
  readonly saved: SavedSettings;

  constructor(
    private readonly rows: RowLog,
    private readonly environment: Environment = process.env,
    /** The file in which a cost summary of this run reads which settings this provider does not know. */
    private readonly costsFile: () => CostFile | undefined = () => undefined,
  ) {
    this.saved = new SavedSettings((key) => this.#ofStack(key), rows);
  }

  /** The settings that Configure has brought. Throws ConfigurationError before Configure. */
  get current(): ProviderConfig {
    return this.assertConfigured();
  }

  /** Throws ConfigurationError before Configure, so that no call begins with other settings. */
  assertConfigured(): ProviderConfig {
    if (this.#current) return this.#current;
    throw new ConfigurationError("This provider has no settings yet: the engine must send Configure before this call.");
  }

  /** True if a setting is unknown before the update. */
  get isDeferred(): boolean {
    return this.current.unknown.length > 0;
  }

  async check(request: wire.CheckRequest): Promise<wire.CheckResponse> {
    const [urn, news] = [request.getUrn(), recordOf(request.getNews())];
    const config = new ProviderConfig(urn, news);
    this.saved.noteProgram();
    const failures = config.failures(this.environment);
    for (const text of config.warnings()) await this.rows.line(STACK, "warning", text);
    if (failures.length === 0 && config.unknown.length > 0) {
      const text =
        `${unknownSettings(config.unknown)} before the update. So this preview does not check ` +
        `the resources of this provider, and their costs are unknown.`;
      await this.rows.line(urn, "warning", text);
    }
    shareUnknownSettings(this.costsFile(), config.unknown);
    return checkAnswer(withSecretKey(news), failures);
  }

  /**
   * Compares settings. A change of settings replaces no resource. After Configure, the engine compares with the former
   * provider of a resource.
   */
  async diff(request: wire.DiffRequest): Promise<wire.DiffResponse> {
    const [urn, news] = [request.getUrn(), recordOf(request.getNews())];
    const inputs = recordOf(request.getOldInputs());
    const olds = Object.keys(inputs).length > 0 ? inputs : recordOf(request.getOlds());
    if (this.#current && differsInAccount(this.#current, olds, news)) this.saved.hasOtherProvider = true;
    const moved = this.#moveText(new ProviderConfig(urn, olds), new ProviderConfig(urn, news));
    if (moved !== undefined) await this.rows.line(urn, "warning", moved);
    const differences = differencesIn(olds, news);
    return diffAnswer(differences.length > 0, differences);
  }

  /**
   * Throws ConfigurationError if this process already serves another provider, as a plugin that somebody debugs may.
   * Both would get the settings of the last one, which may be another account.
   */
  assertSameProvider(urn = ""): void {
    const served = this.#current?.urn ?? urn;
    if (urn === served) return;
    const { name, stack } = urnParts(served);
    throw new ConfigurationError(
      `The plugin in PULUMI_DEBUG_PROVIDERS already serves the provider "${name}" of the stack ${stack}, and can serve only one. ` +
        `Start the plugin again for another stack. Run a program with several providers without this variable.`,
    );
  }

  async configure(request: wire.ConfigureRequest): Promise<wire.ConfigureResponse> {
    const [urn = "", id = ""] = [request.getUrn(), request.getId()];
    this.#current = new ProviderConfig(urn, request.hasArgs() ? recordOf(request.getArgs()) : variablesOf(request));
    // Here, because in the preview of a destroy this is the only call. The engine does not await its answer.
    await this.saved.warnOfOther(urn);
    this.reference = urn === "" ? undefined : `${urn}::${id === "" ? UNKNOWN : id}`;
    return fillMessage(new messages.ConfigureResponse(), {
      ...{ acceptsecrets: true, acceptoutputs: true, acceptresources: true },
      ...{ supportspreview: true, supportsAutonamingConfiguration: true },
    });
  }

  /** A setting of the stack. Undefined for an explicit provider, whose settings are not in the stack's file. */
  #ofStack(key: string): string | undefined {
    return this.#current?.provider === undefined ? this.#current?.read(key) : undefined;
  }

  #moveText(before: ProviderConfig, after: ProviderConfig): string | undefined {
    const [old, now] = [before.read("baseUrl"), after.read("baseUrl") ?? this.environment["CLOUDINFRA_BASE_URL"]];
    if (old === undefined || now === undefined || after.unknown.includes("baseUrl")) return undefined;
    return moveText(old, now, " or another provider");
  }
}

/**
 * True if the key or the base URL differs, so that the account may differ. False for a resource that moves here from
 * the dynamic provider.
 */
function differsInAccount({ provider }: ProviderConfig, olds: Props, news: Props): boolean {
  if (provider === undefined && CONFIG_KEYS.every((key) => olds[key] === undefined)) return false;
  return (["apiKey", "baseUrl"] as const).some((key) => olds[key] !== news[key]);
}

/** The settings in the older form of the protocol: `cloudinfra:config:apiKey`, each as a text. */
function variablesOf(request: wire.ConfigureRequest): Props {
  return Object.fromEntries(
    request
      .getVariablesMap()
      .toArray()
      .map(([key, value]) => [key.slice(key.lastIndexOf(":") + 1), value]),
  );
}

/** Marks the key as secret, so that the state keeps it encrypted even if the program does not mark it. */
function withSecretKey(news: Props): Props {
  const { apiKey } = news;
  return apiKey === undefined ? news : { ...news, apiKey: asSecret(apiKey) };
}
