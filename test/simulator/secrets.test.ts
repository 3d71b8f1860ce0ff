import { createHash } from "node:crypto";
import { runSimulator } from "../../src/cli/simulator-command";
import { type Harness, paths, requests, withHarness } from "./support/harness";
import { exchange, head } from "./support/raw-connection";

const controlPaths = ["/clock", "/faults", "/prices", "/requests", "/state"];

/** A secret in plain text and in the forms in which a reader could find it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url"), bytes.toString("hex")];
  const hash = createHash("sha256").update(secret);
  const hashed = [hash.copy().digest("base64"), hash.copy().digest("base64url"), hash.digest("hex")];
  return [secret, ...encoded, ...hashed];
}

/** Everything that the process prints during an action. */
async function printedDuring(run: () => Promise<unknown>): Promise<string> {
  let printed = "";
  const keep = (chunk: unknown): boolean => {
    printed += String(chunk);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, "write").mockImplementation(keep));
  const consoles = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    jest.spyOn(console, level).mockImplementation((...values: unknown[]) => void keep(values.join(" "))),
  );
  const warned = jest.spyOn(process, "emitWarning").mockImplementation(keep);
  try {
    await run();
    return printed;
  } finally {
    for (const spy of [...spies, ...consoles, warned]) spy.mockRestore();
  }
}

/** Uses secrets in every part of a request, correctly and by mistake. Returns them all. */
async function useSecrets(api: Harness): Promise<string[]> {
  const { body, id, at } = await api.create(paths.apiKeys, requests.key);
  const key = String(body["key"]);
  const placed = "placed-canary-secret-0123456789";
  const held = (await api.state())["apiKeys"]?.find((one) => one["id"] === id);
  await api.place({ apiKeys: [{ ...held, status: undefined, id: "placed", key: placed }] });
  await api.call("GET", "/v1/regions", { key });
  expect((await api.call("GET", "/v1/regions", { key: placed })).status).toBe(200);
  await api.call("GET", "/v1/regions", { key: null, headers: { authorization: `Basic ${key}` } });
  await api.call("GET", "/v1/regions", { headers: { cookie: key, "x-api-key": key } });
  await api.call("GET", `${paths.apiKeys}?name=${key}&cursor=${key}&api_key=${key}`);
  await api.call("PATCH", at, { body: { key, name: 7, [`x-${key}`]: key } });
  await api.call("POST", paths.apiKeys, { body: `{"key": "${key}"` });
  await api.call("POST", paths.apiKeys, { body: key, headers: { "content-type": "text/plain" } });
  await api.call("POST", `/v1/nowhere?key=${key}`, { body: { key } });
  const external_provider = { account_id: "canary-12345", region: "us-west-2" };
  await api.create(paths.connections, { ...requests.connection, external_provider });
  const request = head(`GET http://user:${key}@127.0.0.1/v1/regions#${key}`, { authorization: `Bearer ${api.apiKey}` });
  await exchange(api.url, [request]);
  await exchange(api.url, [`GET /v1/regions HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nno colon ${key}\r\n\r\n`]);
  await api.call("DELETE", at);
  return [key, placed, api.apiKey, "canary-12345"];
}

it("the control port and the output never show a secret", async () => {
  await withHarness({}, async (api) => {
    let secrets: string[] = [];
    const printed = await printedDuring(async () => {
      secrets = await useSecrets(api);
    });
    expect(printed).toBe("");
    const shown = await Promise.all(controlPaths.map((path) => api.control("GET", path)));
    const text = JSON.stringify(shown);
    expect(text).toContain("/v1/nowhere");
    for (const secret of secrets) {
      for (const form of formsOf(secret)) expect(text).not.toContain(form);
    }
  });
});

it("the command prints the owner's key once", async () => {
  let printed = "";
  const ending = new AbortController();
  const write = (text: string): void => {
    printed += text;
    const { url } = JSON.parse(text) as { url: string };
    const headers = { authorization: "Bearer owner-canary" };
    void fetch(`${url}/v1/regions`, { headers }).then(() => ending.abort());
  };
  const io = { stdout: { write }, signal: ending.signal };
  const besides = await printedDuring(() => runSimulator({ apiKey: "owner-canary" }, io));
  expect(besides).toBe("");
  expect(printed.split("owner-canary")).toHaveLength(2);
  expect(printed.trimEnd().split("\n")).toHaveLength(1);
});
