import { protocol } from "../../src/simulator/nouns/firewall-rule";
import { expectRejected, harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" });

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

const [earlier, later] = [...protocol.options].sort();
const second = { protocol: later, destination_ports: ["53"] };
async function addNamed(...rulesToAdd: readonly (readonly [name: string, more?: Json])[]): Promise<string[]> {
  const added: string[] = [];
  for (const [name, more] of rulesToAdd)
    added.push((await api.create(paths.rules, { ...requests.rule, protocol: earlier, ...more, name })).at);
  return added;
}

it.each([
  ["name:asc", ["a", "b", "c", "d"]],
  ["name:desc", ["d", "c", "b", "a"]],
  ["protocol:desc", ["b", "c", "d", "a"]],
  ["protocol:asc,name:desc", ["d", "a", "c", "b"]],
  ["protocol:asc,created_at:desc", ["a", "d", "c", "b"]],
  ["status:asc", ["b", "d", "a", "c"]],
  ["created_at:desc", ["c", "a", "d", "b"]],
  ["created_at:asc,name:desc", ["b", "d", "a", "c"]],
])("sorts by sort=%s", async (sort, names) => {
  await addNamed(["b", second], ["d"], ["a"], ["c", second]);
  expect(await api.page(`${paths.rules}?sort=${sort}`)).toMatchObject({
    names,
    total: 4,
    next: null,
    previous: null,
  });
});

it.each([
  ["network:desc", { blockchain: "ethereum", network: "sepolia" }],
  ["blockchain:asc", { blockchain: "arbitrum", network: "mainnet" }],
])("the blockchains of RPC nodes are sorted by sort=%s", async (sort, first) => {
  const { items } = await api.get(`/v1/rpc_nodes/flex/blockchains?sort=${sort}`);
  expect(items).toMatchObject([first, ...Array<unknown>(4).fill({})]);
});

it("times are compared as instants", async () => {
  const added = await addNamed(["first"], ["second"], ["third"]);
  for (const [index, wait] of [
    [2, "1s"],
    [0, "500ms"],
    [1, "500ms"],
  ] as const) {
    await api.advance(wait);
    await api.call("PATCH", added[index] ?? "", { body: { tags: ["touched"] } });
  }
  expect((await api.page(`${paths.rules}?sort=updated_at:asc`)).names).toEqual(["third", "first", "second"]);
  expect((await api.page(`${paths.rules}?sort=updated_at:desc`)).names).toEqual(["second", "first", "third"]);
});

it("a cursor of another order is 400", async () => {
  await addNamed(["b"], ["a"], ["c"]);
  const path = `${paths.rules}?limit=1`;
  const cursorOf = async (sort: string) => String((await api.page(`${path}&sort=${sort}`)).next);
  const madeUp = ["x", "null", "[]", "{}", '["x",null]', '["x",{}]', "7"];
  for (const [sort, cursors] of [
    ["name:asc", [await cursorOf("name:desc"), await cursorOf("created_at:asc"), ...madeUp.map(base64url)]],
    ["created_at:asc", [await cursorOf("name:asc")]],
  ] as const) {
    const pages = cursors.map((cursor) => `${path}&sort=${sort}&cursor=${cursor}`);
    await expectRejected(api, "GET", pages, undefined, "cursor");
  }
});

it.each(["name", "name:up", "name:asc,", "key:asc", "NAME:asc", ""])("rejects an unknown sort=%s", (sort) =>
  expectRejected(api, "GET", [`${paths.rules}?sort=${sort}`], undefined, "sort"),
);

it.each([
  ["/v1/audit_logs?", ["status_code"]],
  ["/v1/operations?project_id=P&", ["updated_at"]],
  ["/v1/networking/connect/connections?project_id=P&", ["updated_at", "name", "status", "bandwidth_mbps"]],
  ["/v1/networking/connect/routes?", ["provider_region", "region"]],
])("%s can be sorted by created_at and %j", async (path, fields) => {
  for (const bandwidth_mbps of [1000, 50])
    await api.create(paths.connections, { ...requests.connection, name: `link-${bandwidth_mbps}`, bandwidth_mbps });
  const list = path.replace("P", api.projectId);
  for (const field of ["created_at", ...fields]) {
    const read = async (direction: string): Promise<unknown[]> => {
      const { status, body } = await api.call("GET", `${list}sort=${field}:${direction}`);
      expect([field, status]).toEqual([field, 200]);
      return (body["items"] as Json[]).map((item) => item[field === "region" ? "platform_region" : field]);
    };
    const ascending = (await read("asc")) as (string | number)[];
    expect(ascending).toEqual([...ascending].sort((a, b) => (a === b ? 0 : a < b ? -1 : 1)));
    expect(await read("desc")).toEqual([...ascending].reverse());
  }
});
