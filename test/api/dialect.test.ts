import { inferDialect } from "../../src/api/dialect";
import { all, bench, rejection } from "./support/api-fixture";
import * as samples from "./support/samples";

const { ids } = samples;
describe("inferDialect", () => {
  it.each([
    ["https://api.nirvanalabs.io", "nirvana"],
    ["https://API.nirvanalabs.io/prefix", "nirvana"],
    ["https://api.nirvanalabs.io.example.com", "spec"],
    ["https://example.com/api.nirvanalabs.io", "spec"],
    ["http://127.0.0.1:8080", "spec"],
    ["not a URL", "spec"],
  ])("infers from %s the dialect %s", (baseUrl, dialect) => {
    expect(inferDialect(baseUrl)).toBe(dialect);
  });
});

describe("the nirvana dialect", () => {
  const nirvana = (body: unknown) => bench(() => ({ status: 200, body }), { dialect: "nirvana" });
  const wireConnection = () => {
    const { external_provider, ...rest } = samples.sampleConnection();
    return { ...rest, aws: external_provider };
  };

  it('creates a connection with the provider "aws" on the wire', async () => {
    const { api, server } = await nirvana(wireConnection());
    const created = await api.connectConnections().create(samples.sampleConnectionCreate());
    const sent = JSON.parse(server.arrived[0]?.body ?? "") as object;
    expect(sent).toMatchObject({ aws: { account_id: "523816707215", region: "us-east-1" } });
    expect(sent).not.toHaveProperty("external_provider");
    expect(created).toMatchObject({ kind: "resource", resource: { external_provider: { region: "us-east-1" } } });
    expect(created).not.toHaveProperty("resource.aws");
  });

  it("translates each listed connection", async () => {
    const body = samples.listOf([wireConnection(), { ...wireConnection(), id: ids.project, aws: null }]);
    const { api } = await nirvana(body);
    const connections = await all(api.connectConnections(ids.project).list());
    expect(connections.map((each) => each.external_provider)).toEqual([{ region: "us-east-1" }, null]);
  });

  it("names a missing member as on the wire", async () => {
    const body = samples.without(wireConnection(), "aws");
    const { api } = await nirvana(body);
    expect((await rejection(api.connectConnections().get(ids.connection))).message).toContain("- aws is missing");
  });

  it("reads a route's region from nirvana_region", async () => {
    const { platform_region, ...rest } = samples.sampleRoute();
    const body = samples.listOf([{ ...rest, nirvana_region: platform_region }]);
    const { api } = await nirvana(body);
    expect(await all(api.connectRoutes.list())).toEqual([samples.sampleRoute()]);
  });

  it("quotes a connection in the API's names", async () => {
    const { api, server } = await nirvana(samples.sampleQuote());
    const quote = await api.connectConnections().quoteCreate(samples.sampleConnectionCreate());
    expect(quote.monthly_total).toBe("31.25");
    expect(server.arrived[0]).toMatchObject({ method: "POST", url: "/v1/networking/connect/connections/cost" });
    expect(JSON.parse(server.arrived[0]?.body ?? "")).toHaveProperty("aws");
  });
});

describe("the spec dialect", () => {
  it("leaves all member names unchanged, even aws", async () => {
    const body = { ...samples.sampleConnection(), aws: "untouched" };
    const { api, server } = await bench(() => ({ status: 200, body }));
    const created = await api.connectConnections().create(samples.sampleConnectionCreate());
    expect(JSON.parse(server.arrived[0]?.body ?? "")).toEqual(samples.sampleConnectionCreate());
    expect(created).toEqual({ kind: "resource", resource: body });
  });
});
