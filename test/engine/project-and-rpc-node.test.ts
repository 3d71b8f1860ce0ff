import { program } from "./support/programs";
import { Session } from "./support/session";

const shop = (tag: string): string => `const shop = new cloudinfra.Project("shop", { tags: ["${tag}"] });`;
const rpc = (network: string): string =>
  `new cloudinfra.RpcNodeFlex("rpc", { projectId: shop.id, blockchain: "ethereum", network: "${network}" });`;

it("a project and an RPC node in it live in a stack: made, unchanged, changed, replaced, held, gone", async () => {
  const session = await Session.start(program(shop("ours"), rpc("mainnet")));
  const previewed = await session.api.during(() => session.stack.preview());
  expect(previewed.result.stdout).toContain("no quote offered for this kind of resource");
  expect(previewed.requests.filter((request) => request.endsWith("/cost"))).toEqual([]);
  await session.up();
  const [project, node] = [session.one("shop").id, session.one("rpc")];
  expect(node.outputs).toMatchObject({ projectId: project, endpoint: expect.stringContaining("mainnet") as string });

  const quiet = await session.api.during(() => session.up());
  expect(quiet.requests).toEqual([]);

  session.stack.write(program(shop("theirs"), rpc("sepolia")));
  await session.up();
  expect(session.one("shop")).toMatchObject({ id: project, outputs: { tags: ["theirs"] } });
  expect(session.one("rpc").id).not.toBe(node.id);

  await session.refresh();
  expect(session.one("shop").outputs).toMatchObject({ resources: { blockchain: { rpcNodesFlex: 1 } } });

  // Somebody else puts something into it: it stays, and the message says what it holds.
  const body = { name: "theirs", project_id: project, blockchain: "base", network: "mainnet" };
  const { id } = await session.api.call("POST", "/v1/rpc_nodes/flex", body);
  const refused = await session.destroy();
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain(
    `project ${project} was not deleted, because it still holds 1 flex RPC node.`,
  );
  await session.api.call("DELETE", `/v1/rpc_nodes/flex/${id}`);
  await session.destroy();
  expect(session.kept()).toEqual([]);
});
