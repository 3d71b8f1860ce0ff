import { z } from "zod";
import { createApiServer } from "../../src/simulator/http/api-app";
import { seededIds } from "../../src/simulator/model/catalogues";
import { defineNoun, type Noun } from "../../src/simulator/nouns/noun";
import { readOptions } from "../../src/simulator/options";
import { location, nameAndTags, namedInput, resourceMembers } from "../../src/simulator/schemas/primitives";
import { Simulation } from "../../src/simulator/simulation";
import type { Json } from "./support/harness";

/* The capabilities of a noun that at most one of the real nouns uses. */

const create = z.strictObject({ ...namedInput, ...location, size: z.int() });

const shelfNoun = defineNoun({
  key: "shelves",
  kind: "volume",
  noun: "shelf",
  path: "/v1/made_up/shelves",
  idParameter: "shelf_id",
  stored: z.object({ ...resourceMembers, ...nameAndTags, ...location, size: z.int(), note: z.string().nullable() }),
  secrets: ["access_key", "secret_key"],
  create,
  update: create.pick({ name: true, size: true }).partial(),
  isDeletable: true,
  hasAvailability: true,
  isNameUnique: true,
});

const simulation = new Simulation(readOptions({ apiKey: "owner", operationTime: "0" }), [shelfNoun as unknown as Noun]);
let server: Awaited<ReturnType<typeof createApiServer>>;
let url: string;
beforeAll(async () => {
  server = await createApiServer(simulation);
  url = await server.listen({ host: "127.0.0.1", port: 0 });
});
beforeEach(() => {
  simulation.reset();
});

afterAll(() => server.close());

async function call(method: string, path: string, body?: Json): Promise<Json> {
  const headers = { authorization: "Bearer owner", ...(body && { "content-type": "application/json" }) };
  const sending = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(`${url}/v1/made_up/shelves${path}`, sending);
  return { ...((await answer.json()) as Json), status: answer.status };
}

const request = { name: "data", project_id: seededIds.project, region: "us-sva-2", size: 10 };

it("only the answer to the creation shows its secrets", async () => {
  const made = await call("POST", "", request);
  const secret = expect.stringMatching(/^[\w-]{43}$/) as unknown;
  expect(made).toMatchObject({ status: 202, type: "create", access_key: secret, secret_key: secret });
  const path = `/${String(made["resource_id"])}`;
  const later = [await call("GET", path), await call("GET", `?project_id=${request.project_id}`)];
  expect(JSON.stringify(later)).not.toContain(made["secret_key"]);
  expect(later[0]).toMatchObject({ name: "data", size: 10, tags: [], note: null });
});

it("rejects a taken name in creation, update and quote", async () => {
  const first = await call("POST", "", request);
  const second = await call("POST", "", { ...request, name: "other" });
  const path = `/${String(second["resource_id"])}`;
  for (const [method, at, body] of [
    ["POST", "", request],
    ["POST", "/availability", request],
    ["PATCH", path, { name: "data" }],
  ] as const) {
    const message = `the name is taken by the shelf ${String(first["resource_id"])}`;
    expect(await call(method, at, body)).toMatchObject({ status: 409, message });
  }
  expect(await call("PATCH", path, { name: "other" })).toMatchObject({ status: 202 });
});
