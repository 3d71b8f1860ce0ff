import type * as grpc from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { attachTo, engineAddress } from "../provider-process/engine-process";
import { CancelledError } from "../lifecycle/errors";
import { redactedRows, type RowLog } from "../engine/row-log";
import type { Run } from "../lifecycle/run/run";
import { kinds, localKinds } from "../resources/registry";
import * as permissionTable from "../permissions/needed-permissions";
import { costsFileOfThisRun, startRun } from "../provider-process/start-run";
import { nativeToken, ROTATING_API_KEY_TOKEN, typeOfToken, urnParts } from "../engine/urn";
import { version } from "../process/version";
import { unaryHandler, unsupportedHandler, streamHandler } from "./engine-answers";
import type * as ComponentService from "./component-service";
import { ConfigService } from "./config-service";
import { deferredInvoke, invoke } from "./function-service";
import { EmptyMessage, fillMessage, messages, PluginInfo } from "./messages";
import { PreviewRows } from "./preview-rows";
import { ResourceService } from "./resource-service";
import { schemaText } from "./schema-text";

/** The only format version of package schemas. */
const SCHEMA_VERSION = 0;

/** Answers the engine's calls. The engine starts one process for each provider and run. */
export class ProviderService {
  readonly #rows: PreviewRows;
  readonly #config: ConfigService;
  readonly #services: ReadonlyMap<string, ResourceService>;
  #cancellation = new AbortController();
  #run: Run | undefined;
  /** The engine of the run. A plugin may be attached to others that only read its schema. */
  #engine: string | undefined;

  constructor(rows: RowLog) {
    this.#rows = new PreviewRows(rows);
    this.#config = new ConfigService(redactedRows(rows), process.env, costsFileOfThisRun);
    this.#services = new Map(
      [...kinds, ...localKinds].map((kind) => [
        kind.type,
        new ResourceService(kind, this.#rows, () => this.#started()),
      ]),
    );
  }

  /** The handlers for gRPC, one for each method of the protocol. */
  handlers(protocol: grpc.ServiceDefinition): grpc.UntypedServiceImplementation {
    const config = this.#config;
    return {
      ...Object.fromEntries(
        Object.entries(protocol).map(([name, method]) => [name, unsupportedHandler(method, notAnswered(name))]),
      ),
      handshake: unaryHandler(() =>
        fillMessage(new messages.ProviderHandshakeResponse(), {
          // The engine calls a plugin for components only if the plugin accepts secrets and outputs.
          ...{ acceptSecrets: true, acceptOutputs: true, acceptResources: true },
          supportsAutonamingConfiguration: true,
        }),
      ),
      getPluginInfo: unaryHandler(() => fillMessage(new PluginInfo(), { version })),
      getSchema: unaryHandler((request: wire.GetSchemaRequest) => {
        assertServed(request);
        return fillMessage(new messages.GetSchemaResponse(), { schema: schemaText() });
      }),
      // There are no mappings from other tools, such as Terraform, to this provider.
      getMapping: unaryHandler(() => new messages.GetMappingResponse()),
      getMappings: unaryHandler(() => new messages.GetMappingsResponse()),
      attach: unaryHandler((request: PluginAttach) => {
        attachTo(request.getAddress());
        return new EmptyMessage();
      }),
      cancel: unaryHandler(() => {
        this.#cancellation.abort(new CancelledError("The run was cancelled before this operation began. Run again."));
        return new EmptyMessage();
      }),
      checkConfig: unaryHandler((request: wire.CheckRequest) => this.#configOfRun().check(request)),
      diffConfig: unaryHandler((request: wire.DiffRequest) => this.#configOfRun().diff(request)),
      configure: unaryHandler((request: wire.ConfigureRequest) => {
        if (this.#configOfRun().accept(request)) this.#beginRun();
        return config.configure(request);
      }),
      construct: unaryHandler((request: wire.ConstructRequest) => this.#components(request)),
      invoke: unaryHandler((request: wire.InvokeRequest) =>
        config.isDeferred ? deferredInvoke(request) : invoke(request, () => this.#started()),
      ),
      // The engine rarely sends these two for resources of a provider whose settings come from other resources, and are
      // unknown before the update. The inputs are then returned without completing or validating them.
      check: unaryHandler((request: wire.CheckRequest) =>
        config.isDeferred
          ? fillMessage(new messages.CheckResponse(), { inputs: request.getNews() })
          : this.#of(request).check(request),
      ),
      diff: unaryHandler((request: wire.DiffRequest) =>
        config.isDeferred
          ? fillMessage(new messages.DiffResponse(), { changes: messages.DiffResponse.DiffChanges.DIFF_UNKNOWN })
          : this.#of(request).diff(request),
      ),
      create: unaryHandler((request: wire.CreateRequest) => this.#of(request).create(request)),
      read: unaryHandler((request: wire.ReadRequest) => this.#of(request).read(request)),
      update: unaryHandler((request: wire.UpdateRequest) => this.#of(request).update(request)),
      delete: unaryHandler((request: wire.DeleteRequest) => this.#of(request).delete(request)),
      list: streamHandler((request: wire.ListRequest) => this.#ofToken(request.getToken()).list(request)),
    };
  }

  /** Loads the component service at the first component, because most programs have none. */
  #components(request: wire.ConstructRequest): Promise<wire.ConstructResponse> {
    const { construct } = require("./component-service") as typeof ComponentService;
    this.#config.configured();
    return construct(request, this.#config.reference);
  }

  /**
   * The settings of this run. If another engine asks, the former run is forgotten: a plugin that somebody debugs
   * outlives a run, and each run has its own engine.
   */
  #configOfRun(): ConfigService {
    const engine = engineAddress();
    if (engine !== this.#engine) this.#config.forget();
    this.#engine = engine;
    return this.#config;
  }

  /** A run keeps the settings that it began with. */
  #beginRun(): void {
    this.#run = undefined;
    this.#rows.forget();
    this.#cancellation = new AbortController();
  }

  #started(): Run {
    const { saved } = this.#config;
    const current = this.#config.configured();
    current.assertKnown();
    const { signal } = this.#cancellation;
    return (this.#run ??= startRun(current.read, this.#rows, {
      provider: current.provider,
      saved,
      cancelled: signal,
      previewRows: this.#rows.ofPreview,
      // A program announces the resources of its default provider only.
      kindOf: (urn) =>
        current.provider === undefined
          ? kinds.find(({ type }) => nativeToken(type) === urnParts(urn).token)
          : undefined,
      permissionTable,
    }));
  }

  /** Throws ConfigurationError for a resource that this version of the package does not have. */
  #of(request: { getUrn(): string }): ResourceService {
    return this.#ofToken(urnParts(request.getUrn()).token);
  }

  #ofToken(token: string): ResourceService {
    this.#config.configured();
    const service = this.#services.get(typeOfToken(token) ?? "");
    if (service) return service;
    if (token === ROTATING_API_KEY_TOKEN)
      throw new ConfigurationError(
        "RotatingApiKey is a component of two API keys, so the API has no such object to import. Import an ApiKey, and then move it in with slotA.",
      );
    throw new ConfigurationError(
      `This version of the provider (${version}) has no resource ${JSON.stringify(token)}. Known are ` +
        `${[...this.#services.keys()].join(", ")}.`,
    );
  }
}

/** Throws ConfigurationError for a schema that this provider does not have. */
function assertServed(request: wire.GetSchemaRequest): void {
  const [format, subpackage] = [request.getVersion(), request.getSubpackageName()];
  if (format !== SCHEMA_VERSION)
    throw new ConfigurationError(
      `The schema of this provider has the format version ${SCHEMA_VERSION}, not ${format}.`,
    );
  if (subpackage !== "") throw new ConfigurationError(`This provider has no subpackage ${JSON.stringify(subpackage)}.`);
}

/** The reason why a method is not supported. A later version of the protocol may have more methods. */
function notAnswered(method: string): string {
  const reasons: Readonly<Record<string, string>> = {
    parameterize: "It takes no parameters: it serves one API.",
    call: "Its resources have no methods.",
  };
  return `The provider cloudinfra ${version} does not answer ${method}. ${reasons[method] ?? "Update the package."}`;
}
