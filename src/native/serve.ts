import type * as grpc from "@grpc/grpc-js";
import { pulumiRequire } from "../engine/pulumi-modules";

/** Pulumi's own limit for messages between the engine and a plugin: 400 MB. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/**
 * Serves a provider to the engine that started this process. It prints the port as the only line on standard output.
 */
export function serve(handlersOf: (protocol: grpc.ServiceDefinition) => grpc.UntypedServiceImplementation): void {
  const { Server, ServerCredentials } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
  const { ResourceProviderService } = pulumiRequire("@pulumi/pulumi/proto/provider_grpc_pb") as {
    readonly ResourceProviderService: grpc.ServiceDefinition;
  };
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
  });
  server.addService(ResourceProviderService, handlersOf(ResourceProviderService));
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
}
