import { protocol } from "../../src/simulator/nouns/firewall-rule";
import { type Json, badParameters, connectionRequest, harnessForSuite, ruleRequest } from "./support/harness";
import { type Page, readPage } from "./support/lists";
import { firewallRulesOf } from "./support/paths";

const api = harnessForSuite({ operationTime: "0" });

const rules = (): string => firewallRulesOf(api.vpcId);
const page = (path: string): Promise<Page> => readPage(api, path);
const base64url = (text: string): string => Buffer.from(text).toString("base64url");

describe("sorting (that of the public clients)", () => {
  const [earlier, later] = [...protocol.options].sort();
  const second = { protocol: later, destination_ports: ["53"] };
  async function addNamed(...rulesToAdd: readonly (readonly [name: string, more?: Json])[]): Promise<string[]> {
    const ids: string[] = [];
    for (const [name, more] of rulesToAdd) {
      const { body } = await api.call("POST", rules(), { body: { ...ruleRequest, protocol: earlier, ...more, name } });
      ids.push(String(body["resource_id"]));
    }
    return ids;
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
    const order = await page(`${rules()}?sort=${sort}`);
    expect(order).toMatchObject({ names, total: 4, next: null, previous: null });
  });

  it.each([
    ["network:desc", { blockchain: "ethereum", network: "sepolia" }],
    ["blockchain:asc", { blockchain: "arbitrum", network: "mainnet" }],
  ])("the blockchains of RPC nodes are sorted by sort=%s", async (sort, first) => {
    expect((await api.call("GET", `/v1/rpc_nodes/flex/blockchains?sort=${sort}`)).body["items"]).toMatchObject([
      first,
      ...Array<unknown>(4).fill({}),
    ]);
  });

  it("times are compared as instants", async () => {
    const ids = await addNamed(["first"], ["second"], ["third"]);
    for (const [index, wait] of [
      [2, "1s"],
      [0, "500ms"],
      [1, "500ms"],
    ] as const) {
      await api.advance(wait);
      await api.call("PATCH", `${rules()}/${String(ids[index])}`, { body: { tags: ["touched"] } });
    }
    expect((await page(`${rules()}?sort=updated_at:asc`)).names).toEqual(["third", "first", "second"]);
    expect((await page(`${rules()}?sort=updated_at:desc`)).names).toEqual(["second", "first", "third"]);
  });

  it("a cursor of another order is 400", async () => {
    await addNamed(["b"], ["a"], ["c"]);
    const path = `${rules()}?limit=1`;
    const cursorOf = async (sort: string) => String((await page(`${path}&sort=${sort}`)).next);
    const madeUp = ["x", "null", "[]", "{}", '["x",null]', '["x",{}]', "7"];
    for (const [sort, cursors] of [
      ["name:asc", [await cursorOf("name:desc"), await cursorOf("created_at:asc"), ...madeUp.map(base64url)]],
      ["created_at:asc", [await cursorOf("name:asc")]],
    ] as const) {
      for (const cursor of cursors) {
        const reply = await api.call("GET", `${path}&sort=${sort}&cursor=${cursor}`);
        expect([reply.status, badParameters(reply)]).toEqual([400, ["cursor"]]);
      }
    }
  });

  it.each(["name", "name:up", "name:asc,", "key:asc", "NAME:asc", ""])("rejects an unknown sort=%s", async (sort) => {
    const reply = await api.call("GET", `${rules()}?sort=${sort}`);
    expect([reply.status, badParameters(reply)]).toEqual([400, ["sort"]]);
  });

  it.each([
    ["/v1/audit_logs?", ["status_code"]],
    ["/v1/operations?project_id=P&", ["updated_at"]],
    ["/v1/networking/connect/connections?project_id=P&", ["updated_at", "name", "status", "bandwidth_mbps"]],
    ["/v1/networking/connect/routes?", ["provider_region", "region"]],
  ])("%s can be sorted by created_at and %j", async (path, fields) => {
    const connection = connectionRequest(api.projectId, api.region);
    for (const bandwidth_mbps of [1000, 50]) {
      const body = { ...connection, name: `link-${bandwidth_mbps}`, bandwidth_mbps };
      await api.call("POST", "/v1/networking/connect/connections", { body });
    }
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
});
