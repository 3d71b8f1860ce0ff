import { MiniStack } from "../support/mini-engine";
import type { TestRun } from "../support/lifecycle";
import { answer, rewriteRequest } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { plain, type Declaration } from "../support/mini-state";
import { World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const KUBECONFIG = { method: "GET", path: /\/kubeconfig$/ };
const TYPE = "NksCluster";
const run = (): TestRun => world.run({ baseUrl: proxy.url, costQuotes: "false", preflight: "off" });
const program = (more: object = {}): readonly Declaration[] => [world.declare(TYPE, more)];

describe.each([{}, { kubeconfig: null }, { kubeconfig: "" }])(
  "a cluster whose kubeconfig is answered as %j",
  (body) => {
    it("the next run waits for a missing kubeconfig", async () => {
      const stack = new MiniStack();
      proxy.on(KUBECONFIG, answer(200, body));
      for (const verb of ["create", "update"]) {
        expect((await stack.up(run(), program())).messages).toEqual([
          expect.stringMatching(
            new RegExp(
              `^${verb} NKS cluster "x": .* does not show its kubeconfig yet: The answer has no kubeconfig\\.`,
            ),
          ),
        ]);
        expect(stack.stateOf("x").outs).not.toHaveProperty("kubeconfig");
      }
      expect(await stack.refresh(run())).toEqual([]);
      proxy.clear();
      expect((await stack.up(run(), program())).failures).toEqual([]);
      expect(plain(stack.stateOf("x").outs["kubeconfig"])).toContain("kind: Config");
      expect(await world.made(TYPE)).toHaveLength(1);
    });

    it("warns of a missing kubeconfig in adopt, update and read", async () => {
      const { id } = await world.create(TYPE, { name: "kept" }, { run: run(), name: "kept" });
      proxy.on(KUBECONFIG, answer(200, body));
      const stack = new MiniStack();
      const [adopting, updating, refreshing] = [run(), run(), run()];
      const adopted = { name: "kept", adopt: id };
      expect((await stack.up(adopting, program(adopted))).failures).toEqual([]);
      expect((await stack.up(updating, program({ ...adopted, tags: ["changed"] }))).failures).toEqual([]);
      expect(await stack.refresh(refreshing)).toEqual([]);
      for (const each of [adopting, updating, refreshing])
        expect(each.warnings()).toContain(
          `The API does not show the kubeconfig of NKS cluster ${id}: The answer has no kubeconfig.`,
        );
    });
  },
);

it("a refresh reads the kubeconfig once the API shows it", async () => {
  const stack = new MiniStack();
  proxy.on(KUBECONFIG, answer(200, {}));
  expect((await stack.up(run(), program())).failures).toHaveLength(1);
  proxy.clear();
  expect(await stack.refresh(run())).toEqual([]);
  expect(plain(stack.stateOf("x").outs["kubeconfig"])).toContain("kind: Config");
});

it("keeps a change although the kubeconfig cannot be read", async () => {
  const { id } = await world.create(TYPE, { name: "kept" }, { run: run() });
  const stack = new MiniStack();
  const declared = (more: object) => program({ name: "kept", adopt: id, ...more });
  proxy.on(KUBECONFIG, answer(200, {}));
  expect((await stack.up(run(), declared({}))).failures).toEqual([]);
  proxy.clear();
  proxy.on(KUBECONFIG, answer(403, { type: "FORBIDDEN", message: "no" }));
  expect((await stack.up(run(), declared({ tags: ["changed"] }))).failures).toHaveLength(1);
  expect(stack.stateOf("x").outs["tags"]).toEqual(["changed"]);
});

it("keeps the kubeconfig of a cluster made with wrong values", async () => {
  const stack = new MiniStack();
  proxy.on(
    { method: "POST", path: /\/clusters$/ },
    rewriteRequest((body) => ({ ...body, tags: ["other"] })),
  );
  expect((await stack.up(run(), program())).failures).toHaveLength(1);
  expect(plain(stack.stateOf("x").outs["kubeconfig"])).toContain("kind: Config");
  expect(stack.stateOf("x").outs).not.toHaveProperty("__neverReady");
  expect((await stack.up(run(), program())).failures).toEqual([]);
  expect(await world.made(TYPE)).toHaveLength(1);
});
