import { engineRowLog } from "../../src/engine/row-log";
import { listenAsProxy } from "../api/support/listeners";
import { startEngine } from "../support/grpc";

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
    await proxy.close();
  }
});
