import { execFileSync } from "node:child_process";
import type { Dialect } from "../../src/simulator/model/catalogs";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { type Json, withHarness } from "./support/harness";

/** The validator is an ES module, which jest's own loader does not take. */
const validate = `
  import { Validator } from "@seriousme/openapi-schema-validator";
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  process.stdout.write(JSON.stringify(await new Validator().validate(JSON.parse(text))));
`;

describe.each<Dialect>(["spec", "nirvana"])("the OpenAPI document of the dialect %s", (dialect) => {
  let document: Json;
  beforeAll(async () => {
    await withHarness({ dialect }, async (api) => {
      expect((await api.call("GET", "/v1/openapi.json", { key: null })).status).toBe(401);
      document = (await api.call("GET", "/v1/openapi.json", { key: await api.newKey(["vm:read"]) })).body;
    });
  });

  it("serves a valid OpenAPI document", () => {
    const result = execFileSync(process.execPath, ["--input-type=module", "-e", validate], {
      input: JSON.stringify(document),
    });
    expect(JSON.parse(result.toString())).toEqual({ valid: true });
    expect(document["openapi"]).toBe("3.1.0");
  });

  it("the document names exactly the endpoints", () => {
    const named = Object.entries(document["paths"] as Record<string, Json>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const there = endpointsOf(dialect).map(({ method, path }) => `${method} ${path}`);
    expect(named.sort()).toEqual([...there, "GET /v1/openapi.json"].sort());
  });

  it("the document describes requests and errors", () => {
    const paths = document["paths"] as Record<string, Record<string, Json>>;
    const create = paths["/v1/networking/connect/connections"]?.["post"];
    const json = (schema: object): object => ({ content: { "application/json": { schema } } });
    const required = ["name", "project_id", "region", "bandwidth_mbps", "cidrs", "provider_cidrs"];
    const properties = {
      ...{ bandwidth_mbps: { enum: [50, 200, 500, 1000, 2000] }, tags: { maxItems: 50 }, cidrs: { minItems: 1 } },
      [dialect === "spec" ? "external_provider" : "aws"]: { required: ["account_id", "region"] },
    };
    const responses = { "202": {}, "4XX": json({ $ref: "#/components/schemas/HTTPError" }) };
    expect(create).toMatchObject({ requestBody: { required: true, ...json({ required, properties }) }, responses });
    expect(paths["/v1/operations"]?.["get"]?.["parameters"]).toContainEqual(
      expect.objectContaining({ name: "project_id", in: "query", required: true }),
    );
    expect(document["security"]).toEqual([{ bearer: [] }]);
  });
});
