import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onEngineEnd } from "../../src/provider-process/engine-process";
import { listenAsProxy } from "../api/support/listeners";
import { Client, credentials, startEngine } from "../support/grpc";

const PROXY_VARIABLES = ["grpc_proxy", "http_proxy", "https_proxy"];

afterEach(() => {
  for (const name of PROXY_VARIABLES) Reflect.deleteProperty(process.env, name);
});

/** Resolves when its own client reaches the engine: then the watcher reaches it too. */
async function reached(address: string): Promise<void> {
  const client = new Client(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  await new Promise<void>((resolve, reject) =>
    client.waitForReady(Date.now() + 10_000, (error) => (error ? reject(error) : resolve())),
  );
  client.close();
}

describe.each([
  ["refuses every tunnel", { refuse: "403 Forbidden" }],
  ["leads elsewhere", { to: 9 }],
])("when the environment names a proxy that %s", (_case, tunnel) => {
  it("notices the engine's end behind a proxy", async () => {
    const engine = await startEngine();
    const proxy = await listenAsProxy(tunnel);
    for (const name of PROXY_VARIABLES) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    let end: () => void = () => undefined;
    try {
      const ended = new Promise<void>((resolve) => (end = onEngineEnd(engine.address, resolve)));
      await reached(engine.address);
      engine.stop();
      await ended;
      expect(proxy.connections()).toBe(0);
    } finally {
      end();
      engine.stop();
      await proxy.close();
    }
  });
});

it("notices an engine that was already killed", async () => {
  const engine = await startEngine();
  engine.stop();
  let end: () => void = () => undefined;
  await new Promise<void>((resolve) => (end = onEngineEnd(engine.address, resolve)));
  end();
});

it("a plugin ends if its engine is killed before it calls", async () => {
  const engine = await startEngine();
  const script = join(__dirname, "..", "..", "dist", "native", "server.js");
  const plugin = spawn(process.execPath, [script, engine.address], { stdio: ["ignore", "pipe", "inherit"] });
  await once(plugin.stdout, "data"); // its port
  engine.stop();
  expect(await once(plugin, "exit")).toEqual([1, null]);
});
