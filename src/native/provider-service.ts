import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as grpc from "@grpc/grpc-js";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { rowLogOfThisProcess } from "../engine-process";
import type { Props } from "../lifecycle/kind";
import type { Run } from "../lifecycle/run";
import { kinds, localKinds } from "../resources/registry";
import { startRun } from "../start-run";
import { typeOfToken } from "../type-tokens";
import { urnParts } from "../urn";
import { version } from "../version";
import { answered, checkAnswer } from "./answers";
import { EmptyMessage, messages, PluginInfo, recordOf } from "./messages";
import { PreviewRows } from "./preview-rows";
import { ResourceService } from "./resource-service";

const SCHEMA = join(__dirname, "../../plugin/schema.json");

/** The engine's calls, answered by the resources. The engine starts one process for each provider and operation. */
export class ProviderService {
  readonly #rows = new PreviewRows(rowLogOfThisProcess());
  readonly #services: ReadonlyMap<string, ResourceService> = new Map(
    [...kinds, ...localKinds].map((kind) => [kind.type, new ResourceService(kind, this.#rows, () => this.#started())]),
  );
  #config: Props = {};
  #run: Run | undefined;

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
      checkConfig: answered((request: wire.CheckRequest) => checkAnswer(recordOf(request.getNews()), [])),
      diffConfig: answered(() => {
        const answer = new messages.DiffResponse();
        answer.setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE);
        return answer;
      }),
      configure: answered((request: wire.ConfigureRequest) => {
        this.#config = recordOf(request.getArgs());
        const answer = new messages.ConfigureResponse();
        answer.setAcceptsecrets(false);
        answer.setSupportspreview(true);
        return answer;
      }),
      check: answered((request: wire.CheckRequest) => this.#of(request).check(request)),
      diff: answered((request: wire.DiffRequest) => this.#of(request).diff(request)),
      create: answered((request: wire.CreateRequest) => this.#of(request).create(request)),
      read: answered((request: wire.ReadRequest) => this.#of(request).read(request)),
      update: answered((request: wire.UpdateRequest) => this.#of(request).update(request)),
      delete: answered((request: wire.DeleteRequest) => this.#of(request).delete(request)),
    };
  }

  #started(): Run {
    return (this.#run ??= startRun((key) => {
      const value = this.#config[key];
      return typeof value === "string" ? value : undefined;
    }, this.#rows));
  }

  /** Throws ConfigurationError for a resource that this version of the package does not have. */
  #of(request: { getUrn(): string }): ResourceService {
    const { token } = urnParts(request.getUrn());
    const service = this.#services.get(typeOfToken(token) ?? "");
    if (service) return service;
    throw new ConfigurationError(
      `This version of the provider (${version}) has no resource ${token}. Known are ${[...this.#services.keys()].join(", ")}.`,
    );
  }
}
