import type * as grpc from "@grpc/grpc-js";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { CancelledError } from "../lifecycle/errors";
import { fitRows, type RowLog } from "../lifecycle/row-log";
import type { Run } from "../lifecycle/run";
import { kinds, localKinds } from "../resources/registry";
import { startRun } from "../start-run";
import { typeOfToken } from "../type-tokens";
import { urnParts } from "../urn";
import { version } from "../version";
import { answered, refused, streamed } from "./answers";
import type * as ComponentService from "./component-service";
import { ConfigService } from "./config-service";
import { invoke } from "./function-service";
import { EmptyMessage, messages, PluginInfo } from "./messages";
import { PreviewRows } from "./preview-rows";
import { ResourceService } from "./resource-service";
import { schemaText } from "./schema-text";

/** The engine's calls, answered by the resources. The engine starts one process for each provider and operation. */
export class ProviderService {
  readonly #rows: PreviewRows;
  readonly #config: ConfigService;
  readonly #services: ReadonlyMap<string, ResourceService>;
  readonly #cancellation = new AbortController();
  #run: Run | undefined;

  constructor(rows: RowLog) {
    this.#rows = new PreviewRows(rows);
    this.#config = new ConfigService(fitRows(rows));
    this.#services = new Map(
      [...kinds, ...localKinds].map((kind) => [
        kind.type,
        new ResourceService(kind, this.#rows, () => this.#started()),
      ]),
    );
  }

  /** What gRPC is given: an answer to each method of the protocol. */
  handlers(protocol: grpc.ServiceDefinition): grpc.UntypedServiceImplementation {
    const config = this.#config;
    return {
      ...Object.fromEntries(
        Object.entries(protocol).map(([name, method]) => [name, refused(method, notAnswered(name))]),
      ),
      handshake: answered(() => {
        const answer = new messages.ProviderHandshakeResponse();
        // The engine asks for components only if the plugin takes secrets and outputs.
        answer.setAcceptSecrets(true);
        answer.setAcceptOutputs(true);
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
        answer.setSchema(schemaText());
        return answer;
      }),
      // Nothing else converts to this provider.
      getMapping: answered(() => new messages.GetMappingResponse()),
      getMappings: answered(() => new messages.GetMappingsResponse()),
      attach: answered(() => new EmptyMessage()),
      cancel: answered(() => {
        this.#cancellation.abort(new CancelledError("The run was cancelled before this was begun. Run again."));
        return new EmptyMessage();
      }),
      checkConfig: answered((request: wire.CheckRequest) => config.check(request)),
      diffConfig: answered((request: wire.DiffRequest) => config.diff(request)),
      configure: answered((request: wire.ConfigureRequest) => config.configure(request)),
      construct: answered((request: wire.ConstructRequest) => this.#components(request)),
      invoke: answered((request: wire.InvokeRequest) => invoke(request, () => this.#started())),
      check: answered((request: wire.CheckRequest) => this.#of(request).check(request)),
      diff: answered((request: wire.DiffRequest) => this.#of(request).diff(request)),
      create: answered((request: wire.CreateRequest) => this.#of(request).create(request)),
      read: answered((request: wire.ReadRequest) => this.#of(request).read(request)),
      update: answered((request: wire.UpdateRequest) => this.#of(request).update(request)),
      delete: answered((request: wire.DeleteRequest) => this.#of(request).delete(request)),
      list: streamed((request: wire.ListRequest) => this.#ofToken(request.getToken()).list(request)),
    };
  }

  /** Loaded at the first component: most programs have none. */
  #components(request: wire.ConstructRequest): Promise<wire.ConstructResponse> {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a native import() is of no use to jest
    const { construct } = require("./component-service") as typeof ComponentService;
    return construct(request, this.#config.reference);
  }

  #started(): Run {
    const { read, provider } = this.#config.current;
    const { signal } = this.#cancellation;
    return (this.#run ??= startRun(read, this.#rows, {
      provider,
      cancelled: signal,
      previewRows: this.#rows.ofPreview,
    }));
  }

  /** Throws ConfigurationError for a resource that this version of the package does not have. */
  #of(request: { getUrn(): string }): ResourceService {
    return this.#ofToken(urnParts(request.getUrn()).token);
  }

  #ofToken(token: string): ResourceService {
    const service = this.#services.get(typeOfToken(token) ?? "");
    if (service) return service;
    throw new ConfigurationError(
      `This version of the provider (${version}) has no resource ${JSON.stringify(token)}. Known are ` +
        `${[...this.#services.keys()].join(", ")}.`,
    );
  }
}

/** What is refused, method by method. A later version of the protocol may have more. */
function notAnswered(method: string): string {
  const reasons: Readonly<Record<string, string>> = {
    parameterize: "It takes no parameters: it serves one API.",
    call: "Its resources have no methods.",
  };
  return `The provider cloudinfra ${version} does not answer ${method}. ${reasons[method] ?? "Update the package."}`;
}
