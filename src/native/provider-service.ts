import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as grpc from "@grpc/grpc-js";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { pluginCallsOf, type PluginCalls } from "../dynamic/plugin-calls";
import { rowLogOfThisProcess } from "../engine-process";
import { asSecret, UNKNOWN } from "../lifecycle/engine-values";
import type { Props, ResourceKind } from "../lifecycle/kind";
import { secretNames } from "../lifecycle/outputs";
import type { Run } from "../lifecycle/run";
import { kinds } from "../resources/registry";
import { startRun } from "../start-run";
import { typeOfToken } from "../type-tokens";
import { version } from "../version";
import { answered, checkAnswer } from "./answers";
import { EmptyMessage, messages, PluginInfo, propsOf, structOf } from "./messages";
import { PreviewRows } from "./preview-rows";

const SCHEMA = join(__dirname, "../../plugin/schema.json");

/** Nothing is in the state yet: a missing object is an error, and its price is asked for. */
const FIRST_READ = { __dryRun: true, __unpriced: { status: "unknown", reason: "nobody has asked yet" } };

/** One kind, and what can be done with it. */
interface Managed {
  readonly kind: ResourceKind;
  readonly calls: PluginCalls;
}

/** The engine's calls, answered by the calls. The engine starts one process for each provider and operation. */
export class ProviderService {
  readonly #rows = new PreviewRows(rowLogOfThisProcess());
  readonly #managed = new Map<string, Managed>();
  #config: Props = {};
  #run: Run | undefined;

  constructor() {
    for (const kind of kinds) this.#managed.set(kind.type, { kind, calls: pluginCallsOf(kind, () => this.#started()) });
  }

  /** What gRPC is given. */
  handlers(): grpc.UntypedServiceImplementation {
    return {
      handshake: answered(() => {
        const answer = new messages.ProviderHandshakeResponse();
        answer.setAcceptSecrets(false);
        answer.setAcceptResources(false);
        return answer;
      }),
      getPluginInfo: answered(() => {
        const answer = new PluginInfo();
        answer.setVersion(version);
        return answer;
      }),
      getSchema: answered(() => {
        const answer = new messages.GetSchemaResponse();
        answer.setSchema(readFileSync(SCHEMA, "utf8"));
        return answer;
      }),
      attach: answered(() => new EmptyMessage()),
      cancel: answered(() => new EmptyMessage()),
      checkConfig: answered((request: wire.CheckRequest) => checkAnswer(propsOf(request.getNews()), [])),
      diffConfig: answered(() => {
        const answer = new messages.DiffResponse();
        answer.setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE);
        return answer;
      }),
      configure: answered((request: wire.ConfigureRequest) => {
        this.#config = propsOf(request.getArgs());
        const answer = new messages.ConfigureResponse();
        answer.setAcceptsecrets(false);
        answer.setSupportspreview(true);
        return answer;
      }),
      check: answered((request: wire.CheckRequest) => this.#check(request)),
      diff: answered((request: wire.DiffRequest) => this.#diff(request)),
      create: answered((request: wire.CreateRequest) => this.#create(request)),
      read: answered((request: wire.ReadRequest) => this.#read(request)),
      update: answered((request: wire.UpdateRequest) => this.#update(request)),
      delete: answered((request: wire.DeleteRequest) => this.#delete(request)),
    };
  }

  #started(): Run {
    return (this.#run ??= startRun((key) => {
      const value = this.#config[key];
      return typeof value === "string" ? value : undefined;
    }, this.#rows));
  }

  #of(token: string): Managed {
    const type = typeOfToken(token) ?? "";
    const managed = this.#managed.get(type);
    if (managed) return managed;
    throw new ConfigurationError(
      `This version of the provider (${version}) has no resource ${token}. Known are ${[...this.#managed.keys()].join(", ")}.`,
    );
  }

  async #check(request: wire.CheckRequest): Promise<wire.CheckResponse> {
    const urn = request.getUrn();
    const { calls } = this.#of(request.getType() || typeOf(urn));
    const news = { ...propsOf(request.getNews()), __urn: urn, __dryRun: this.#rows.isPreview ?? true };
    const { inputs, failures } = await calls.check(propsOf(request.getOlds()), news);
    return checkAnswer(inputs, failures);
  }

  async #diff(request: wire.DiffRequest): Promise<wire.DiffResponse> {
    const urn = request.getUrn();
    const { calls } = this.#of(request.getType() || typeOf(urn));
    const { changes, replaces, deleteBeforeReplace } = await calls.diff(
      request.getId(),
      propsOf(request.getOlds()),
      propsOf(request.getNews()),
    );
    const { DiffChanges } = messages.DiffResponse;
    const answer = new messages.DiffResponse();
    answer.setChanges(
      changes === undefined ? DiffChanges.DIFF_UNKNOWN : changes ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE,
    );
    answer.setReplacesList(replaces ?? []);
    answer.setDeletebeforereplace(deleteBeforeReplace ?? false);
    if (changes === false) await this.#rows.tell(urn);
    return answer;
  }

  async #create(request: wire.CreateRequest): Promise<wire.CreateResponse> {
    const urn = request.getUrn();
    const { kind, calls } = this.#of(request.getType() || typeOf(urn));
    const inputs = propsOf(request.getProperties());
    await this.#rows.know(request.getPreview(), urn);
    const answer = new messages.CreateResponse();
    if (request.getPreview()) {
      answer.setProperties(structOf({ ...inputs, ...unknownOutputs(kind) }));
      return answer;
    }
    const { id, outs } = await calls.create(withTimeout(inputs, "create", request.getTimeout()));
    answer.setId(id);
    answer.setProperties(structOf(outs));
    return answer;
  }

  async #read(request: wire.ReadRequest): Promise<wire.ReadResponse> {
    const urn = request.getUrn();
    const { kind, calls } = this.#of(request.getType() || typeOf(urn));
    const props = propsOf(request.getProperties());
    const known = Object.keys(props).length > 0 ? props : propsOf(request.getInputs());
    // Nothing is known of an object that is imported, or looked up by a program.
    const isNew = !("__urn" in known);
    const {
      id,
      props: outputs,
      inputs,
    } = await calls.read(request.getId(), {
      ...known,
      __urn: urn,
      ...(isNew && FIRST_READ),
    });
    const answer = new messages.ReadResponse();
    if (id === undefined) return answer;
    answer.setId(isNew ? kind.parseId(request.getId()).id : id);
    answer.setProperties(structOf(outputs ?? {}));
    answer.setInputs(structOf(inputs ?? {}));
    return answer;
  }

  async #update(request: wire.UpdateRequest): Promise<wire.UpdateResponse> {
    const urn = request.getUrn();
    const { kind, calls } = this.#of(request.getType() || typeOf(urn));
    const [olds, news] = [propsOf(request.getOlds()), propsOf(request.getNews())];
    await this.#rows.know(request.getPreview(), urn);
    const answer = new messages.UpdateResponse();
    if (request.getPreview()) {
      answer.setProperties(structOf({ ...news, ...keptOutputs(kind, olds) }));
      return answer;
    }
    const { outs } = await calls.update(request.getId(), olds, withTimeout(news, "update", request.getTimeout()));
    answer.setProperties(structOf(outs));
    return answer;
  }

  async #delete(request: wire.DeleteRequest): Promise<Empty> {
    const urn = request.getUrn();
    const { calls } = this.#of(request.getType() || typeOf(urn));
    await this.#rows.know(false, urn);
    await calls.delete(request.getId(), withTimeout(propsOf(request.getProperties()), "delete", request.getTimeout()));
    return new EmptyMessage();
  }
}

/** What only the API can say of an object. */
function apiOutputs(kind: ResourceKind): readonly string[] {
  return [...new Set([...kind.computed, ...secretNames(kind), ...kind.apart.map(({ name }) => name)])];
}

/** What only the API can say of an object that does not exist yet. */
function unknownOutputs(kind: ResourceKind): Props {
  const names = apiOutputs(kind);
  return Object.fromEntries(
    names.map((name) => [name, secretNames(kind).includes(name) ? asSecret(UNKNOWN) : UNKNOWN]),
  );
}

/** What only the API can say stays as it is when a field changes in place. */
function keptOutputs(kind: ResourceKind, olds: Props): Props {
  const names = apiOutputs(kind).filter((name) => olds[name] !== undefined);
  return Object.fromEntries(
    names.map((name) => [name, secretNames(kind).includes(name) ? asSecret(olds[name]) : olds[name]]),
  );
}

/** The program's `customTimeouts` come with the call, in seconds; 0 is none. */
function withTimeout(props: Props, verb: string, seconds: number): Props {
  return seconds === 0 ? props : { ...props, __timeouts: { [verb]: `${seconds}s` } };
}

/** `urn:pulumi:<stack>::<project>::<parent types>$<type>::<name>` */
function typeOf(urn: string): string {
  return (urn.split("::")[2] ?? "").split("$").at(-1) ?? "";
}
