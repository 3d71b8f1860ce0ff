import type * as grpc from "@grpc/grpc-js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { pulumiRequire } from "../../src/engine/pulumi-modules";
import { unaryHandler } from "../../src/native/engine-answers";
import { EmptyMessage } from "../../src/native/messages";

export const { Client, Server, ServerCredentials, credentials } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
const { EngineService } = pulumiRequire("@pulumi/pulumi/proto/engine_grpc_pb") as {
  readonly EngineService: grpc.ServiceDefinition;
};

/** The methods of the plugin. */
export const { ResourceProviderService: protocol } = pulumiRequire("@pulumi/pulumi/proto/provider_grpc_pb") as {
  readonly ResourceProviderService: Readonly<Record<string, grpc.MethodDefinition<Message, Message>>>;
};

export interface Message {
  toObject(): Record<string, unknown>;
}

interface Listener {
  readonly address: string;
  readonly stop: () => void;
}

const servers: grpc.Server[] = [];
afterAll(() => servers.forEach((server) => server.forceShutdown()));

/** Serves these methods until the end of the test file. */
export async function serveGrpc(
  service: grpc.ServiceDefinition,
  handlers: grpc.UntypedServiceImplementation,
): Promise<Listener> {
  const server = new Server();
  servers.push(server);
  server.addService(service, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

/** An engine that only accepts lines, each as `<urn>: <text>`. */
export async function startEngine(): Promise<Listener & { readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const log = unaryHandler((request: LogRequest) => {
    lines.push(`${request.getUrn()}: ${request.getMessage()}`);
    return new EmptyMessage();
  });
  return { ...(await serveGrpc(EngineService, { log })), lines };
}
