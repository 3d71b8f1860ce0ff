import { z } from "zod";
import { all, bench, rejection } from "./support/api-fixture";
import { listOf, sampleApiKey, sampleError, sampleRegion, without } from "./support/samples";

const named = (name: string) => ({ ...sampleRegion(), name });

describe("a list", () => {
  it("fetches every page with the same query, in order", async () => {
    const pages = [listOf([named("a"), named("b")], "c/1="), listOf([named("c")], "c2"), listOf([named("d")])];
    const { api, server } = await bench((_request, count) => ({ status: 200, body: pages[count - 1] }));
    const names = (await all(api.regions.list())).map(({ name }) => name);
    expect(names).toEqual(["a", "b", "c", "d"]);
    expect(server.arrived.map(({ url }) => url)).toEqual([
      "/v1/regions?limit=100",
      "/v1/regions?limit=100&cursor=c%2F1%3D",
      "/v1/regions?limit=100&cursor=c2",
    ]);
  });

  it.each([
    ["null", listOf([named("a")], null)],
    ["empty", listOf([named("a")], "")],
    ["absent", { items: [named("a")], pagination: {} }],
  ])("a list ends if the cursor is %s", async (_cursor, body) => {
    const { api, server } = await bench(() => ({ status: 200, body }));
    expect(await all(api.regions.list())).toHaveLength(1);
    expect(server.arrived).toHaveLength(1);
  });

  it("returns an object of two pages once, ignoring case of ids", async () => {
    const key = (id: string) => ({ ...sampleApiKey(), id });
    const pages = [listOf([key("a"), key("b")], "x"), listOf([key("B"), key("c")], "y"), listOf([key("a")])];
    const { api } = await bench((_request, count) => ({ status: 200, body: pages[count - 1] }));
    const listed = api.list(z.looseObject({ id: z.string() }), ["v1", "api_keys"], {});
    expect((await all(listed)).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["a parameter", sampleError("VALIDATION_ERROR", "invalid request", { limit: "must be at most 50" })],
    ["the message only", sampleError("VALIDATION_ERROR", "limit must be at most 50")],
  ])("leaves the size of pages to an API that refuses 100 in %s", async (_where, tooLarge) => {
    const { api, server } = await bench(({ url }) => {
      if (url.includes("limit=100")) return { status: 400, body: tooLarge };
      return { status: 200, body: url.includes("cursor") ? listOf([named("b")]) : listOf([named("a")], "x") };
    });
    expect(await all(api.regions.list())).toHaveLength(2);
    expect(await all(api.regions.list())).toHaveLength(2);
    expect(server.arrived.map(({ url }) => url)).toEqual([
      "/v1/regions?limit=100",
      "/v1/regions",
      "/v1/regions?cursor=x",
      "/v1/regions",
      "/v1/regions?cursor=x",
    ]);
  });

  it("fails a list if the API also refuses it without a size", async () => {
    const refused = sampleError("VALIDATION_ERROR", "invalid request", { project_id: "is required" });
    const { api, server } = await bench(() => ({ status: 400, body: refused }));
    for (const list of [api.regions, api.connectRoutes, api.regions])
      expect(await rejection(all<unknown>(list.list()))).toMatchObject({
        status: 400,
        parameters: { project_id: "is required" },
      });
    const [regions, routes] = ["/v1/regions", "/v1/networking/connect/routes"];
    expect(server.arrived.map(({ url }) => url)).toEqual(
      [regions, routes, regions].flatMap((path) => [`${path}?limit=100`, path]),
    );
  });

  it("leaves the size to the API only for the list that refuses it", async () => {
    const { api, server } = await bench(({ url }) =>
      url === "/v1/regions?limit=100"
        ? { status: 400, body: sampleError("VALIDATION_ERROR", "limit too large") }
        : { status: 200, body: listOf([]) },
    );
    for (const list of [api.regions, api.connectRoutes, api.regions]) await all<unknown>(list.list());
    expect(server.arrived.map(({ url }) => url)).toEqual([
      "/v1/regions?limit=100",
      "/v1/regions",
      "/v1/networking/connect/routes?limit=100",
      "/v1/regions",
    ]);
  });

  it("reads on after an empty page with a cursor", async () => {
    const pages = [listOf([], "x"), listOf([named("a")], "y"), listOf([], "z"), listOf([named("b")])];
    const { api } = await bench((_request, count) => ({ status: 200, body: pages[count - 1] }));
    expect((await all(api.regions.list())).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("a list ends after a hundred empty pages", async () => {
    const { api, server } = await bench((_request, count) => ({ status: 200, body: listOf([], `fresh-${count}`) }));
    const error = await rejection(all(api.regions.list()));
    expect(error).toMatchObject({ defect: "endless" });
    expect(error.message).toContain("100 pages in a row had a cursor but no items");
    expect(server.arrived).toHaveLength(100);
  });

  it("fails if the list never stops returning new cursors", async () => {
    const page = (count: number) => listOf([named("a")], `fresh-${count}`);
    const { api, server } = await bench((_request, count) => ({ status: 200, body: page(count) }));
    expect((await rejection(all(api.regions.list()))).message).toContain("it has more than 5000 pages");
    expect(server.arrived).toHaveLength(5_001);
  });

  it("does not follow a repeated cursor", async () => {
    const page = (count: number) => listOf([named("a")], count % 2 ? "x" : "y");
    const { api, server } = await bench((_request, count) => ({ status: 200, body: page(count) }));
    expect(await rejection(all(api.regions.list()))).toMatchObject({ defect: "endless" });
    expect(server.arrived).toHaveLength(3);
  });

  it("fetches no further page after an early stop", async () => {
    const { api, server } = await bench(() => ({ status: 200, body: listOf([named("a")], "next") }));
    for await (const region of api.regions.list()) {
      expect(region.name).toBe("a");
      break;
    }
    expect(server.arrived).toHaveLength(1);
  });

  it("names item and member if a member is missing", async () => {
    const broken = without(named("b"), "name");
    const { api } = await bench(() => ({ status: 200, body: listOf([named("a"), broken]) }));
    expect((await rejection(all(api.regions.list()))).message).toContain("- items[1].name is missing");
  });

  it("names the missing members of a malformed list", async () => {
    const { api } = await bench(() => ({ status: 200, body: { items: [] } }));
    expect((await rejection(all(api.regions.list()))).message).toContain("- pagination is missing");
  });

  it("asks again for a page that fails", async () => {
    const { api, server } = await bench((_request, count) =>
      count === 2 ? { status: 502, body: {} } : { status: 200, body: listOf([named("a")], count === 1 ? "x" : null) },
    );
    expect(await all(api.regions.list())).toHaveLength(2);
    expect(server.arrived).toHaveLength(3);
  });
});
