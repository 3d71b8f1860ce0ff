import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PulumiResult } from "../../../../tools/pulumi/stack.cjs";
import { counts, partsOf, rowOf } from "../../support/output";
import { declareOnly, inDays } from "../../support/programs";
import type { Session } from "../../support/session";
import { destroy, preview, previewAndUp, unknownSecret, up, type Scenario } from "../scenario";
import type { Stage } from "../stage";

interface KeyOutput {
  readonly id: string;
  readonly key: string;
  readonly expiresAt: string;
}

/** The pair of keys in the stack's outputs. */
const pairOf = (session: Session): Record<"current" | "previous", KeyOutput> =>
  session.shownOutputs() as unknown as Record<"current" | "previous", KeyOutput>;

const permissions = [{ resourceType: "vm", permission: "edit" }];
const single = declareOnly("ApiKey", "deployer", { permissions, expiresAt: inDays(60) });
const outputs = `module.exports = { current: ci.current, previous: ci.previous, nextRotation: ci.nextRotation };`;
const pair = (more = "", name = "ci", options = "{}"): readonly string[] => [
  `const ci = new cloudinfra.RotatingApiKey("${name}", {
     permissions: ${JSON.stringify(permissions)}, period: "30d", ${more} }, ${options});`,
  outputs,
];
const renamed = pair(`tags: ["renamed"]`, "renamed", `{ aliases: [{ name: "ci" }] }`);

/** The program hands the previous key over in a file, which is complete at every moment. */
const handOver = `const fs = require("node:fs");
  const path = __dirname + "/previous.key";
  ci.previous.key.apply((key) => {
    if (pulumi.runtime.isDryRun()) return;
    fs.writeFileSync(path + ".new", key);
    fs.renameSync(path + ".new", path);
  });`;

/** An update while two clients sign in without a pause: with the key of the file, and with the current one. */
async function upWithClients(session: Session): Promise<PulumiResult> {
  const { key } = pairOf(session).current;
  const path = join(session.stack.folder, "previous.key");
  const answers: number[] = [];
  let isOver = false;
  const clients = [() => readFileSync(path, "utf8"), () => key].map(async (shown) => {
    while (!isOver) answers.push(await session.api.signIn(shown()));
  });
  const result = await session.up().finally(() => (isOver = true));
  await Promise.all(clients);
  expect(answers.length).toBeGreaterThan(10);
  expect(new Set(answers)).toEqual(new Set([200]));
  return result;
}

const advance =
  (by: string) =>
  ({ session }: Stage): Promise<void> =>
    session.api.advance(by);

/** A single key becomes a pair, and a pair rotates. */
export const rotatingPair: Scenario = {
  title: "a pair of keys in rotation",
  // Both keys have one price, and the first to ask for it shows an end of its own.
  options: { config: { "cloudinfra:costQuotes": "false" } },
  steps: [
    {
      title: "makes a single key",
      program: [single],
      run: up,
      shows: ({ session, stage: { ids } }) => void (ids["single"] = session.one("deployer").id),
    },
    {
      title: "makes no keys if --target leaves the pair out",
      program: [single, ...pair()],
      run: (session) => session.up(["--target", session.one("deployer").urn]),
      shows: async ({ session, stage: { ids } }) => expect(await session.api.keyIds()).toEqual([ids["single"]]),
    },
    {
      title: "turns a single key into the previous key",
      program: pair(
        `slotA: { aliases: [{ name: "deployer", parent: pulumi.rootStackResource }], expiresAt: "${inDays(60)}" }`,
      ),
      run: up,
      shows: async ({ session, output, stage: { ids } }) => {
        expect(output).not.toContain("replaced");
        const { current, previous } = pairOf(session);
        expect(previous).toMatchObject({ id: ids["single"], expiresAt: inDays(60) });
        expect(await session.api.signIn(previous.key)).toBe(200);
        expect(current.expiresAt).toBe(inDays(91));
      },
    },
    {
      title: "keeps both keys when slotA leaves the program",
      program: pair(),
      run: up,
      shows: ({ session, output, stage: { ids } }) => {
        expect(output).not.toMatch(/replaced|created|deleted/);
        expect(pairOf(session).previous.id).toBe(ids["single"]);
      },
    },
    {
      title: "destroy deletes both keys",
      run: destroy,
      shows: async ({ session }) => expect(await session.api.keyIds()).toEqual([]),
    },
    {
      title: "makes both keys in the first run, and shows neither",
      program: [...pair(), handOver],
      run: previewAndUp,
      shows: async ({ session, output }) => {
        expect(partsOf(output).preview).toMatch(/nextRotation: "/);
        const { current, previous } = pairOf(session);
        expect([current.expiresAt, previous.expiresAt]).toEqual([inDays(91), inDays(91)]);
        for (const { key } of [current, previous]) expect(await session.api.signIn(key)).toBe(200);
        expect(await session.api.keyIds()).toEqual([current.id, previous.id].sort());
        expect(Object.values(session.stack.files()).filter((text) => text.includes(current.key))).toEqual([]);
      },
      differs: unknownSecret("key      ", "key      "),
    },
    {
      title: "changes nothing before a rotation is due",
      run: preview,
      shows: ({ output, requests }) => {
        expect(counts(output)).toEqual(["5 unchanged"]);
        expect(requests).toEqual(["GET /v1/regions"]);
      },
    },
    {
      title: "replaces the older key when due, and refuses no client",
      first: async (stage) => {
        stage.ids["current"] = pairOf(stage.session).current.id;
        await advance("30d")(stage);
      },
      run: upWithClients,
      shows: async ({ session, output, stage: { ids } }) => {
        expect(rowOf(output, "ci-schedule")).toContain(`rotates slot b: due since ${inDays(27).slice(0, 10)}`);
        const { current, previous } = pairOf(session);
        expect([previous.id, current.expiresAt]).toEqual([ids["current"], inDays(121)]);
        expect(await session.api.keyIds()).toEqual([current.id, previous.id].sort());
      },
    },
    {
      title: "a due run of the schedule alone replaces no key",
      program: pair(),
      first: async (stage) => {
        stage.ids["keys"] = (await stage.session.api.keyIds()).join();
        await advance("30d")(stage);
      },
      run: (session) => session.up(["--target", "**::ci-schedule"]),
      shows: async ({ session, stage: { ids } }) => {
        expect((await session.api.keyIds()).join()).toBe(ids["keys"]);
        ids["key"] = pairOf(session).current.key;
      },
    },
    {
      title: "keeps the current key after a run of the schedule alone",
      run: up,
      shows: async ({ session, stage: { ids } }) => expect(await session.api.signIn(ids["key"]!)).toBe(200),
    },
    {
      title: "a failed run with an alias keeps both keys",
      program: renamed,
      first: async ({ session: { api }, ids }) => {
        ids["keys"] = (await api.keyIds()).join();
        await api.fault({ method: "PATCH", path: "/api_keys/", status: 500, every: 1 });
      },
      run: (session) => session.up(["--continue-on-error"]),
      fails: true,
      shows: async ({ session, stage: { ids } }) => expect((await session.api.keyIds()).join()).toBe(ids["keys"]),
    },
    {
      title: "the next run renames the pair with the same keys",
      first: ({ session }) => session.api.clearFaults(),
      run: up,
      shows: async ({ session, stage: { ids } }) => expect((await session.api.keyIds()).join()).toBe(ids["keys"]),
    },
  ],
};
