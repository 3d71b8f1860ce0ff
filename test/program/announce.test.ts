import * as pulumi from "@pulumi/pulumi";
import { ApiKey } from "../../src";
import { announce } from "../../src/program/announce";
import { runFile, type Announcement } from "../../src/process/run-file";
import { folderForSuite } from "../support/suite";

const ENGINE = "127.0.0.1:4711";
const folder = folderForSuite("announced");
const before = { ...process.env };

beforeAll(() => {
  Object.assign(process.env, { XDG_CACHE_HOME: folder, PULUMI_NODEJS_ENGINE: ENGINE });
});
afterAll(() => {
  process.env = before;
});

/** What the plugin of this engine can read. */
const announced = (): readonly Announcement[] => runFile<Announcement>(ENGINE, "announced")?.readNew() ?? [];

async function announcedAfter(args: object, options?: pulumi.CustomResourceOptions): Promise<readonly Announcement[]> {
  const earlier = announced().length;
  await announce("cloudinfra:index:Vpc", Promise.resolve("urn"), args, options);
  await new Promise(setImmediate); // the arguments are known
  return announced().slice(earlier);
}

it("announces arguments when they are known", async () => {
  const late = pulumi.output(Promise.resolve("10.0.0.0/24"));
  expect(await announcedAfter({ name: "a", cidr: late })).toEqual([
    { urn: "urn", inputs: { name: "a", cidr: "10.0.0.0/24" } },
  ]);
});

it("announces no secret, at any depth", async () => {
  expect(await announcedAfter({ tags: [pulumi.secret("hush")] })).toEqual([]);
});

it("announces no plain-text secret of an adopted key", async () => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "x", state: {} }) });
  const permissions = [{ resourceType: "vm", permission: "edit" } as const];
  new ApiKey("plain", { permissions });
  new ApiKey("adopted", { permissions, adopt: { id: "4f6d2d0c-6d4b-4f0e-8d38-8c1f7a2b9d11", key: "hush" } });
  await new Promise(setImmediate);
  expect(announced().map(({ urn }) => urn.split("::").at(-1))).toEqual(expect.arrayContaining(["plain"]));
  expect(JSON.stringify(announced())).not.toContain("hush");
});

it("announces no resource with the option import", async () => {
  expect(await announcedAfter({ name: "a" }, { import: "id" })).toEqual([]);
});
