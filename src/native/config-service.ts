import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { addressOf } from "../journal/address";
import type { Environment } from "../config";
import { asSecret, UNKNOWN } from "../lifecycle/engine-values";
import type { Props } from "../lifecycle/kind";
import { STACK, type RowLog } from "../lifecycle/row-log";
import { checkAnswer, diffAnswer } from "./answers";
import { differencesIn } from "./detailed-diff";
import { messages, recordOf } from "./messages";
import { ProviderConfig } from "./provider-config";

/** The engine's calls about the provider itself: its settings are checked, compared, and then used. */
export class ConfigService {
  /** What Configure brought: the run reads it. */
  current = new ProviderConfig("");
  /** The provider resource whose settings they are, as resources refer to it. Undefined before Configure. */
  reference: string | undefined;

  constructor(
    private readonly rows: RowLog,
    private readonly environment: Environment = process.env,
  ) {}

  /** Every mistake at once. */
  async check(request: wire.CheckRequest): Promise<wire.CheckResponse> {
    const [urn, news] = [request.getUrn(), recordOf(request.getNews())];
    const config = new ProviderConfig(urn, news);
    const failures = config.failures(this.environment);
    for (const text of config.warnings()) await this.rows.line(STACK, "warning", text);
    const unknown = failures.length === 0 ? unknownText(config) : [];
    for (const text of unknown) await this.rows.line(urn, "warning", text);
    return checkAnswer(withSecretKey(news), failures);
  }

  /** Nothing is replaced because of settings. */
  async diff(request: wire.DiffRequest): Promise<wire.DiffResponse> {
    const [urn, news] = [request.getUrn(), recordOf(request.getNews())];
    const inputs = recordOf(request.getOldInputs());
    const olds = Object.keys(inputs).length > 0 ? inputs : recordOf(request.getOlds());
    for (const text of this.#moved(new ProviderConfig(urn, olds), new ProviderConfig(urn, news))) {
      await this.rows.line(urn, "warning", text);
    }
    const differences = differencesIn(olds, news);
    return diffAnswer(differences.length > 0, differences);
  }

  configure(request: wire.ConfigureRequest): wire.ConfigureResponse {
    const [urn = "", id = ""] = [request.getUrn(), request.getId()];
    this.current = new ProviderConfig(urn, recordOf(request.getArgs()));
    this.reference = urn === "" ? undefined : `${urn}::${id === "" ? UNKNOWN : id}`;
    const answer = new messages.ConfigureResponse();
    answer.setAcceptsecrets(true);
    answer.setAcceptoutputs(true);
    answer.setSupportspreview(true);
    return answer;
  }

  /** Another API has other objects, and a project's objects do not move. */
  #moved(before: ProviderConfig, after: ProviderConfig): readonly string[] {
    const [old, now] = [before.read("baseUrl"), after.read("baseUrl") ?? this.environment["CLOUDINFRA_BASE_URL"]];
    if (old === undefined || now === undefined || after.unknown.includes("baseUrl") || isSameUrl(old, now)) return [];
    return [
      `The base URL changes from ${withoutPassword(old)} to ${withoutPassword(now)}. Nothing is replaced: the provider expects ` +
        `the objects of the state at the new address. If that is another API or another organization, a refresh would find ` +
        `them gone, and an update would fail. Then go back, and use another stack or another provider.`,
    ];
  }
}

function unknownText({ unknown }: ProviderConfig): readonly string[] {
  if (unknown.length === 0) return [];
  return [
    `${unknown.join(" and ")} ${unknown.length > 1 ? "are" : "is"} not known before the update. So this preview does not check ` +
      `the resources of this provider, and their costs are unknown.`,
  ];
}

/** The state keeps the key encrypted, even if the program does not say that it is a secret. */
function withSecretKey(news: Props): Props {
  const { apiKey } = news;
  return apiKey === undefined ? news : { ...news, apiKey: asSecret(apiKey) };
}

function isSameUrl(one: string, other: string): boolean {
  const [before, after] = [one, other].map((baseUrl) => addressOf({ backend: "", baseUrl, project: "", stack: "" }));
  return before?.baseUrl === after?.baseUrl;
}

function withoutPassword(text: string): string {
  return addressOf({ backend: "", baseUrl: text, project: "", stack: "" }).baseUrl;
}
