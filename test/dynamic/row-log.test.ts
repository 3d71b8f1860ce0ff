import { createRequire } from "node:module";
import type * as grpc from "@grpc/grpc-js";
import { engineRowLog } from "../../src/engine/row-log";
import { listenAsProxy } from "../api/support/listeners";

// As in Pulumi's SDK, because two copies of gRPC do not work together.
const fromPulumi = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
const { Server, ServerCredentials } = fromPulumi("@grpc/grpc-js") as typeof grpc;
const { EngineService } = fromPulumi("@pulumi/pulumi/proto/engine_grpc_pb") as {
  EngineService: grpc.ServiceDefinition;
};
const { Empty } = fromPulumi("google-protobuf/google/protobuf/empty_pb.js") as { Empty: new () => object };

interface LogRequest {
  getUrn(): string;
  getMessage(): string;
}

/** An engine that only accepts log lines. */
async function startEngine(): Promise<{ address: string; lines: string[]; close(): void }> {
  const lines: string[] = [];
  const server = new Server();
  server.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, answer: grpc.sendUnaryData<object>) => {
      lines.push(`${request.getUrn()}: ${request.getMessage()}`);
      answer(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, lines, close: () => server.forceShutdown() };
}

afterEach(() => {
  Reflect.deleteProperty(process.env, "https_proxy");
});

it("sends messages to the local engine without the proxy", async () => {
  const engine = await startEngine();
  const proxy = await listenAsProxy({ refuse: "403 Forbidden" });
  process.env["https_proxy"] = `http://127.0.0.1:${proxy.port}`;
  try {
    await engineRowLog(engine.address).line("urn:x", "info", "+$1.00/mo");
    expect(engine.lines).toEqual(["urn:x: +$1.00/mo"]);
    expect(proxy.connections()).toBe(0);
  } finally {
    engine.close();
    await proxy.close();
  }
});
