import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { createControlServer } from "../../src/simulator/control/control-app";
import { readOptions } from "../../src/simulator/options";
import { Simulation } from "../../src/simulator/simulation";
import { harnessForSuite, type Json, withHarness } from "./support/harness";
import { exchange, type RawAnswer } from "./support/raw-connection";

/** Every route of the control port, read from the server itself. */
const routes: (readonly [method: string, path: string])[] = [];
{
  const server = createControlServer(new Simulation(readOptions({})));
  const tree = server.printRoutes({ commonPrefix: false });
  for (const [, path = "", methods = ""] of tree.matchAll(/── (\/\S*) \((.+)\)/g)) {
    for (const method of methods.split(", ")) routes.push([method, path]);
  }
}

const api = harnessForSuite({}, { keeps: true });
let port: string;
beforeAll(() => {
  port = new URL(api.controlUrl).port;
});

/** Sends exactly these headers, with a body that would take effect if the request were accepted. */
async function send(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const bodies: Json = {
    "/clock": { advance: "1h" },
    "/faults": { path: ".", status: 500 },
    "/prices": { networking_vpc: "9" },
  };
  const body = method === "POST" ? JSON.stringify(bodies[path] ?? {}) : "";
  const all = { connection: "close", "content-type": "text/plain", "content-length": String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const [answer] = await exchange(api.controlUrl, [`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`]);
  if (!answer) throw new Error("the control port did not answer");
  return answer;
}

/** Everything that the control port can change. */
async function held(): Promise<unknown> {
  const shown = await Promise.all(["/clock", "/faults", "/prices", "/state"].map((path) => api.control("GET", path)));
  return shown.map(({ body }) => body);
}

const refused: readonly (readonly [title: string, headers: (port: string) => Readonly<Record<string, string>>])[] = [
  ["a page's origin", (own) => ({ host: `localhost:${own}`, origin: "http://localhost:3000" })],
  ["the origin null", (own) => ({ host: `localhost:${own}`, origin: "null" })],
  ["an empty origin", (own) => ({ host: `localhost:${own}`, origin: "" })],
  ["the control port's own origin", (own) => ({ host: `127.0.0.1:${own}`, origin: `http://127.0.0.1:${own}` })],
  ["a browser's fetch from the same site", (own) => ({ host: `127.0.0.1:${own}`, "sec-fetch-site": "same-origin" })],
  ["a browser's address bar", (own) => ({ host: `127.0.0.1:${own}`, "sec-fetch-site": "none" })],
  ["a name that only resolves to it", (own) => ({ host: `rebound.example.com:${own}` })],
  ["a name that begins like it", (own) => ({ host: `127.0.0.1.example.com:${own}` })],
  ["a name that ends like it", (own) => ({ host: `evil-localhost:${own}` })],
  ["a user in the name", (own) => ({ host: `localhost:${own}@example.com` })],
  ["another loopback address", (own) => ({ host: `127.0.0.9:${own}` })],
  ["the loopback address as a number", (own) => ({ host: `2130706433:${own}` })],
  ["all addresses", (own) => ({ host: `0.0.0.0:${own}` })],
  ["another port", (own) => ({ host: `localhost:${Number(own) - 1}` })],
  ["no port", () => ({ host: "localhost" })],
  ["an empty host", () => ({ host: "" })],
];

it("finds the routes of the control port", () => {
  const names = routes.map((route) => route.join(" "));
  expect(names).toEqual(expect.arrayContaining(["POST /clock", "GET /state", "DELETE /faults"]));
  expect(routes.length).toBeGreaterThanOrEqual(10);
});

describe.each(refused)("with %s", (_title, headers) => {
  it.each([...routes, ["OPTIONS", "/state"] as const, ["GET", "/nowhere"] as const])(
    "%s %s is rejected, and neither reveals nor changes anything",
    async (method, path) => {
      const before = await held();
      const preflight = { "access-control-request-method": "POST", "access-control-request-private-network": "true" };
      const answer = await send(method, path, { ...headers(port), ...(method === "OPTIONS" ? preflight : {}) });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body || "{}")).toEqual(method === "HEAD" ? {} : { error: expect.any(String) as string });
      expect(answer.headers).not.toMatch(/^access-control-/im);
      expect(await held()).toEqual(before);
    },
  );
});

it.each(["127.0.0.1", "localhost", "LOCALHOST"])("answers the host %s with the port, without CORS", async (name) => {
  const answer = await send("GET", "/clock", { host: `${name}:${port}` });
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { now: "2026-03-01T12:00:00Z" }]);
  expect(answer.headers).not.toMatch(/^access-control-/im);
});

it("a request without a host is rejected", async () => {
  const answers = await exchange(api.controlUrl, ["GET /state HTTP/1.1\r\nConnection: close\r\n\r\n"]);
  const older = await exchange(api.controlUrl, ["GET /state HTTP/1.0\r\n\r\n"]);
  expect([...answers, ...older].map(({ status }) => status)).toEqual([400, 403]);
});

describe("the listening addresses", () => {
  const addresses = Object.values(networkInterfaces())
    .flatMap((ends) => ends ?? [])
    .flatMap(({ address, family, internal }) => (family === "IPv4" && !internal ? [address] : []));
  /** True if the port is open at this address. */
  const isOpen = (host: string, number: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host, port: Number(number), timeout: 1000 });
      const end = (open: boolean) => (): void => {
        socket.destroy();
        resolve(open);
      };
      socket.on("connect", end(true)).on("error", end(false)).on("timeout", end(false));
    });

  it("both ports are on 127.0.0.1 by default", async () => {
    for (const url of [api.url, api.controlUrl]) {
      const { hostname, port: own } = new URL(url);
      expect([hostname, await isOpen("127.0.0.1", own)]).toEqual(["127.0.0.1", true]);
      for (const address of ["127.0.0.2", "::1", ...addresses]) {
        expect([address, await isOpen(address, own)]).toEqual([address, false]);
      }
    }
  });

  it("the control port is always on 127.0.0.1", async () => {
    await withHarness({ host: "0.0.0.0" }, async (open) => {
      const control = new URL(open.controlUrl).port;
      for (const address of ["127.0.0.2", ...addresses]) {
        expect([address, await isOpen(address, control)]).toEqual([address, false]);
      }
      expect(await isOpen(addresses[0] ?? "127.0.0.1", new URL(open.url).port)).toBe(true);
    });
  });
});
