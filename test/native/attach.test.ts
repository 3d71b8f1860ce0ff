import type * as grpc from "@grpc/grpc-js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import type * as plugin from "@pulumi/pulumi/proto/plugin_pb";
import { rowLogOfThisProcess } from "../../src/plugin/engine-process";
import { EmptyMessage } from "../../src/native/messages";
import { ProviderService } from "../../src/native/provider-service";
import { pulumiRequire } from "../../src/engine/pulumi-modules";

const { Server, ServerCredentials } = pulumiRequire("@grpc/grpc-js") as typeof grpc;
const { EngineService } = pulumiRequire("@pulumi/pulumi/proto/engine_grpc_pb") as {
  readonly EngineService: grpc.ServiceDefinition;
};
const { ResourceProviderService: protocol } = pulumiRequire("@pulumi/pulumi/proto/provider_grpc_pb") as {
  readonly ResourceProviderService: grpc.ServiceDefinition;
};
const { PluginAttach } = pulumiRequire("@pulumi/pulumi/proto/plugin_pb") as typeof plugin;

const servers: grpc.Server[] = [];
afterAll(() => servers.forEach((server) => server.forceShutdown()));

/** An engine that records what it gets. */
async function startEngine(messages: string[]): Promise<string> {
  const server = new Server();
  servers.push(server);
  const log: grpc.handleUnaryCall<LogRequest, unknown> = ({ request }, callback) => {
    messages.push(request.getMessage());
    callback(null, new EmptyMessage());
  };
  server.addService(EngineService, { log });
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
}

it("gives each attached engine the lines of its operation", async () => {
  const rows = rowLogOfThisProcess();
  const handlers = new ProviderService(rows).handlers(protocol);
  const attach = async (address: string): Promise<void> => {
    const request = new PluginAttach();
    request.setAddress(address);
    const handler = handlers["attach"] as unknown as (call: { request: unknown }, callback: () => void) => void;
    await new Promise<void>((resolve) => handler({ request }, resolve));
  };
  const [first, second]: [string[], string[]] = [[], []];
  await attach(await startEngine(first));
  await rows.line("", "info", "of the preview");
  await attach(await startEngine(second));
  await rows.line("", "info", "of the update");
  expect([first, second]).toEqual([["of the preview"], ["of the update"]]);
});
