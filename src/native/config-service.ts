import { ConfigurationError } from "../api/errors";
import { CONFIG_KEYS } from "../engine/settings-list";
import type { Environment } from "../process/user-folders";
import { asSecret, UNKNOWN } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import { urnParts } from "../engine/urn";
import { checkAnswer, diffAnswer } from "./engine-answers";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { type CostFile, shareUnknownSettings } from "../lifecycle/pricing/run-costs";
import { STACK, type RowLog } from "../engine/row-log";
import { moveText, SavedSettings } from "../settings/saved-settings";
import { differencesIn } from "./preview-answers";
import { ProviderConfig, unknownSettings } from "./provider-config";
import { fillMessage, messages, recordOf } from "./messages";

/** The engine's calls about the provider itself: its settings are checked, compared, and then used. */
export class ConfigService {
  #current: ProviderConfig | undefined;
  /** The settings of the last run, also before Configure. */
  #served: ProviderConfig | undefined;
  /** The URN of the provider that the program has presented. */
  #presented: string | undefined;
  /** The reference to the provider resource with these settings, `<urn>::<id>`. Undefined before Configure. */
  reference: string | undefined;
  saved: SavedSettings;

  constructor(
    private readonly rows: RowLog,
    private readonly environment: Environment = process.env,
    /** The file in which a cost summary of this run reads which settings this provider does not know. */
    private readonly costsFile: () => CostFile | undefined = () => undefined,
  ) {
    this.saved = this.#newSaved();
  }

  /** The settings of Configure. Throws ConfigurationError before it, so that no call begins with other settings. */
  configured(): ProviderConfig {
    if (this.#current) return this.#current;
    throw new ConfigurationError("This provider has no settings yet: the engine must send Configure before this call.");
  }

  /** True if a setting is unknown before the update. */
  get isDeferred(): boolean {
    return this.configured().unknown.length > 0;
  }

  async check(request: wire.CheckRequest): Promise<wire.CheckResponse> {
    const [urn, news] = [request.getUrn(), recordOf(request.getNews())];
    const config = new ProviderConfig(urn, news);
    this.#presented = urn;
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

  /** Forgets the former run, in a plugin that somebody debugs. */
  forget(): void {
    this.#current = this.#presented = undefined;
    this.saved = this.#newSaved();
  }

  /**
   * Takes the settings. Returns false, and changes nothing, if the run already has settings and these are of a version
   * that only the state has. Throws ConfigurationError if this process serves any other provider, as a plugin that
   * somebody debugs may. Both would get the settings of the last one, which may be another account.
   */
  accept(request: wire.ConfigureRequest): boolean {
    const [urn = "", id = ""] = [request.getUrn(), request.getId()];
    const asked = new ProviderConfig(urn, request.hasArgs() ? recordOf(request.getArgs()) : variablesOf(request));
    const served = this.#current ?? this.#served ?? asked;
    const isOther = served.isOtherVersionOf(asked);
    if (urn !== served.urn && !(isOther && (this.#current?.hasSettingsOf(asked) ?? true))) {
      const { name, stack } = urnParts(served.urn);
      throw new ConfigurationError(
        `The plugin in PULUMI_DEBUG_PROVIDERS already serves the provider "${name}" of the stack ${stack}, and can serve only one. ` +
          (isOther
            ? "The state may have another version of this provider with other settings: then run once without PULUMI_DEBUG_PROVIDERS."
            : "Start the plugin again for another stack. Run a program with several providers without this variable."),
      );
    }
    // A component gives its resources the provider of the program, not a version that only the state has.
    if (this.#current && urn !== served.urn && urn !== this.#presented) return false;
    this.#served = this.#current = asked;
    this.reference = urn === "" ? undefined : `${urn}::${id === "" ? UNKNOWN : id}`;
    return true;
  }

  async configure(request: wire.ConfigureRequest): Promise<wire.ConfigureResponse> {
    // Here, because in the preview of a destroy this is the only call. The engine does not await its answer.
    await this.saved.warnOfOther(request.getUrn() ?? "");
    return fillMessage(new messages.ConfigureResponse(), {
      ...{ acceptsecrets: true, acceptoutputs: true, acceptresources: true },
      ...{ supportspreview: true, supportsAutonamingConfiguration: true },
    });
  }

  #newSaved(): SavedSettings {
    return new SavedSettings((key) => this.#ofStack(key), this.rows);
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
