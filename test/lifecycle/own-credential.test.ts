import { execFileSync, spawnSync } from "node:child_process";
import { commandToConfigure, guardOwnCredential } from "../../src/lifecycle/credential/own-credential";
import { newKind, type Finding } from "../../src/lifecycle/kind/kind";
import { apiKey } from "../../src/resources/api-key";
import { definitions } from "../../src/resources/definitions";
import type { Outcome } from "../support/mini-engine";
import type { StateEntry } from "../support/mini-state";
import { sent } from "../support/lifecycle";
import { NOWHERE } from "../support/world";
import { MemoryJournal } from "../support/memory-journal";
import { KeyBench } from "./support/key-fixture";

const own = {
  permissions: [
    { resourceType: "api_key", permission: "edit" },
    { resourceType: "audit_log", permission: "read" },
    { resourceType: "vpc", permission: "edit" },
  ],
  expiresAt: "2026-12-31T00:00:00Z",
};
const later = { ...own, expiresAt: "2027-03-31T00:00:00Z" };
const { world, ids: keys, up, deleteFirst, signedInWith } = KeyBench.forSuite();
let first: StateEntry;
beforeEach(async () => {
  first = (await up(own)).state;
});

const ids = async (): Promise<string[]> => [...(await keys())];
const rotate = (state: StateEntry, args: object = later): Promise<Outcome> => up(args, state, signedInWith(state));

describe("a replacement of the provider's own key", () => {
  it("signs the rest of the run with the new key", async () => {
    const run = signedInWith(first);
    const { state, lines } = await up(later, first, run);
    expect(run.run.api.credentials.current.apiKey).toBe(state.outs["key"]);
    expect((await ids()).sort()).toEqual([first.id, state.id].sort());
    expect(lines).toContainEqual(`the rest of this run signs in with the new key ${state.id}`);
    expect(lines.at(-1)).toMatch(
      new RegExp(
        `^this run signed in with API key ${first.id}, so it does not delete it: the key expires on 2026-12-31T00:00:00Z`,
      ),
    );
    expect(lines.at(-1)).toContain("pulumi config set --secret cloudinfra:apiKey");
    for (const line of lines) {
      expect(line).not.toContain(first.outs["key"]);
      expect(line).not.toContain(state.outs["key"]);
    }
  });

  it("says where the new key is in each run", async () => {
    const { state } = await rotate(first);
    for (let run = 0; run < 2; run += 1) {
      const { lines } = await up(later, state, signedInWith(first));
      const [line = "", ...others] = lines.filter((line) => line.includes(`is the successor of ${first.id}`));
      expect(others).toEqual([]);
      expect(line).toContain("pulumi config set --secret cloudinfra:apiKey");
    }
    const { lines } = await up(later, state, signedInWith(state));
    expect(lines.join()).not.toContain("is the successor of");
  });

  it("says where the successor of a refused key is", async () => {
    const lifetime = { ...own, expiresAt: undefined, lifetime: "90d", rotationTrigger: 1 };
    const { state } = await rotate(first, lifetime);
    await world.api("DELETE", `/v1/api_keys/${first.id}`);
    await expect(up(lifetime, state, signedInWith(first))).rejects.toThrow(
      /was refused: .*Put a valid key there\. If it is an earlier key of "\w+", the state has its successor[^]*pulumi config set/,
    );
  });

  it("names the old key if the new one is destroyed", async () => {
    const { state } = await rotate(first);
    const run = world.run();
    await run.of("ApiKey").delete(state.id, state.outs);
    expect(await ids()).toEqual([first.id]);
    expect(run.texts()).toEqual([expect.stringContaining(`API key ${first.id} stays until it expires`)]);
  });

  it("does not wait for a deleted first key", async () => {
    const second = await rotate(first);
    await world.api("DELETE", `/v1/api_keys/${first.id}`);
    world.clock.advance(86_400_000);
    const before = world.clock.now();
    const third = await rotate(second.state, { ...own, expiresAt: "2027-05-01T00:00:00Z" });
    expect(world.clock.now() - before).toBeLessThan(60_000);
    expect((await ids()).sort()).toEqual([second.state.id, third.state.id].sort());
  });

  it.each([
    ["first", false],
    ["second", true],
  ])("records all remaining keys in the journal (signed in with the %s)", async (_which, isSecond) => {
    const second = (await rotate(first)).state;
    const journal = new MemoryJournal();
    await deleteFirst(own, second, signedInWith(isSecond ? second : first, { journal }));
    const left = isSecond ? [first.id, second.id] : [first.id];
    expect([journal.entries.map(({ id }) => id).sort(), (await ids()).sort()]).toEqual([left.sort(), left.sort()]);
  });

  it("says where the successor is after a failed run", async () => {
    const second = await rotate(first);
    const run = signedInWith(first);
    await up(later, second.state, run);
    await run.of("ApiKey").delete(first.id, first.outs);
    expect(run.warnings().join("\n")).toContain("Set cloudinfra:apiKey to its successor");
    expect(run.warnings().join("\n")).not.toContain("Delete it with another key");
  });
});

it.each([
  [
    "replacement",
    later,
    "the rest of the run signs in with the new key, and the old key expires on 2026-12-31T00:00:00Z",
  ],
  ["change", { ...own, tags: ["deploys"] }, "the update changes the key in place, and the run goes on with it"],
])("a preview announces the %s of the provider's key", async (_case, args, announced) => {
  const run = signedInWith(first);
  const lifecycle = run.of("ApiKey");
  const { inputs } = await lifecycle.check(first.inputs, sent("ApiKey", "x", args));
  await lifecycle.diff(first.id, first.outs, inputs);
  expect(run.texts()).toContainEqual(
    `the provider signs in with this key (the stack's configuration (cloudinfra:apiKey)): ${announced}`,
  );
});

it("a destroy keeps the provider's own key", async () => {
  const run = signedInWith(first);
  await run.of("ApiKey").delete(first.id, first.outs);
  expect(await ids()).toEqual([first.id]);
  expect(run.lines.at(-1)?.text).toMatch(/this run signed in with API key .*, so it does not delete it/);
});

it("replaces another key as usual", async () => {
  const { state, lines } = await up(later, first);
  expect(await ids()).toEqual([state.id]);
  expect(state.outs).not.toHaveProperty("__retired");
  expect(lines.join()).not.toMatch(/sign/);
});

describe("a change that would lock the provider out", () => {
  const previewOf = async (args: object): Promise<string> => {
    const lifecycle = signedInWith(first).of("ApiKey");
    const { inputs, failures } = await lifecycle.check(first.inputs, sent("ApiKey", "x", args));
    expect(failures).toEqual([]);
    return lifecycle.diff(first.id, first.outs, inputs).then(
      () => "allowed",
      (error: unknown) => (error as Error).message,
    );
  };

  const startsAt = "2026-12-01T00:00:00Z";
  it.each<readonly [string, object, RegExp]>([
    [
      "loses api_key:edit",
      { permissions: [{ resourceType: "api_key", permission: "read" }] },
      /lock it out: permissions: it would lose api_key:edit/,
    ],
    ["loses a project", { projectIds: [NOWHERE] }, /projectIds: it would lose /],
    ["starts later", { startsAt }, new RegExp(`startsAt: the new key would not work before ${startsAt}`)],
    ["excludes the address", { sourceIpRule: { allowed: ["10.0.0.0/8"] } }, /: it would block 127\.0\.0\.1, the prov/],
    ["blocks the address", { sourceIpRule: { blocked: ["127.0.0.1/32"] } }, /sourceIpRule: it would block /],
    ["includes the address", { sourceIpRule: { allowed: ["127.0.0.0/8"] } }, /^allowed$/],
    ["loses other permissions", { permissions: own.permissions.slice(0, 2) }, /^allowed$/],
  ])("decides if the provider's key may be changed: it %s", async (_case, change, verdict) => {
    // A mutating request of the key itself tells its address in the audit log.
    await signedInWith(first).of("ApiKey").delete(NOWHERE, { __urn: "x" });
    expect(await previewOf({ ...own, ...change })).toMatch(verdict);
    expect(await world.made("ApiKey")).toMatchObject([{ id: first.id, permissions: { length: 3 } }]);
  });

  it("refuses an adopted provider key without its secret", async () => {
    const { id } = await world.create("ApiKey", own, { name: "other" });
    expect(await previewOf({ ...own, adopt: id })).toMatch(/adopt: nobody could sign in with the adopted key/);
    expect(await previewOf({ ...own, adopt: { id, key: "its-secret" } })).toBe("allowed");
  });

  it("reports a lock-out that is not caused by one field", async () => {
    const { run } = signedInWith(first);
    const lockOut = (): readonly Finding[] => [{ severity: "failure", field: "", reason: "it would not work" }];
    const kind = newKind({ ...apiKey, credential: { ...apiKey.credential!, lockOut } }, definitions);
    const props = { key: run.api.credentials.current.apiKey };
    const change = { kind, run, id: first.id, urn: "x", olds: props, news: props, isReplaced: false, isPreview: true };
    await expect(guardOwnCredential(change)).rejects.toThrow("would lock it out: it would not work.");
  });
});

it("the printed command sets nothing without a secret", () => {
  const standIns = `pulumi() { test "$1" = config && echo set; }; jq() { return 1; };`;
  const { stdout } = spawnSync("sh", ["-c", `${standIns} ${commandToConfigure("urn", { secret: "key" })}`]);
  expect(stdout.toString()).toBe("");
});

it("quotes logical names in its command for a shell", () => {
  const urn = `urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:ApiKey::it's "$HOME" \\ \`key\``;
  // Stands in for the programs, and records their arguments.
  const standIns = `pulumi() { cat; }; jq() { printf '%s' "$2" >&2; };`;
  const filter = execFileSync("sh", ["-c", `{ ${standIns} ${commandToConfigure(urn, { secret: "key" })}; } 2>&1`], {
    encoding: "utf8",
    input: "",
  });
  const literal = /\.urn == ("(?:[^"\\]|\\.)*") and/.exec(filter)?.[1] ?? "";
  expect(JSON.parse(literal)).toBe(urn);
});
