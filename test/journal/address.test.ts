import { mkdirSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { addressOf, isSameStack } from "../../src/journal/address";
import { folderForSuite } from "../support/suite";

const folder = folderForSuite("address");
beforeAll(() => {
  mkdirSync(join(folder, "state"));
  symlinkSync(join(folder, "state"), join(folder, "link"));
});

const stack = { backend: "file:///state", baseUrl: "https://api.example", project: "test", stack: "dev" };
const backend = (text: string, from = folder): string => addressOf({ ...stack, backend: text }, from).backend;
const baseUrl = (text: string): string => addressOf({ ...stack, baseUrl: text }, folder).baseUrl;

describe("one spelling", () => {
  it.each([
    "file://./state",
    "file://state/",
    `file://${folder}/state/`,
    `file://${folder}//state`,
    `file://${folder}/x/../state`,
    `file://${folder}/link`,
    `file://${folder}/state?no_tmp_dir=true`,
  ])("of a backend: %s", (text) => {
    expect(backend(text)).toBe(`file://${folder}/state`);
  });

  it.each([
    "s3://bucket/a",
    "s3://bucket/a/?region=us-east-1&awssdk=v2&profile=p",
    "s3://bucket//a?profile=p&region=us-east-1",
    "s3://bucket/a?s3ForcePathStyle=true&disableSSL=true",
  ])("of a bucket: %s", (text) => expect(backend(text)).toBe("s3://bucket/a"));

  it.each([
    "s3://bucket/a?endpoint=localhost:9000&prefix=p",
    "s3://bucket/a?prefix=p&region=eu&endpoint=http%3A%2F%2F127.0.0.1%3A9000%2F",
  ])("of a bucket at a server of one's own: %s", (text) =>
    expect(backend(text)).toBe("s3://bucket/a?endpoint=127.0.0.1%3A9000&prefix=p"),
  );

  it("of a backend in the home folder", () => {
    expect(backend("file://~/no-such-folder")).toBe(`file://${userInfo().homedir}/no-such-folder`);
  });

  it.each(["http://localhost:80/", "http://127.0.0.1", "http://[::1]/", "HTTP://LOCALHOST"])(
    "of this machine: %s",
    (text) => expect(baseUrl(text)).toBe("http://127.0.0.1"),
  );

  it.each(["https://API.Example/", "https://api.example:443", "https://api.example//"])("of an API: %s", (text) =>
    expect(baseUrl(text)).toBe("https://api.example"),
  );

  it.each(["file://./state", "s3://bucket/a?endpoint=http://[::1]:9000&region=eu"])("of %s, spelled again", (text) => {
    const once = addressOf({ ...stack, backend: text, baseUrl: "http://localhost:4010/x/" }, folder);
    expect(addressOf(once)).toEqual(once);
  });
});

describe("two spellings", () => {
  it("of a relative backend in two checkouts", () => {
    expect(backend("file://./state", "/one")).not.toBe(backend("file://./state", "/two"));
  });

  it.each([
    ["http://127.0.0.1:4010", "http://127.0.0.1:4011"],
    ["https://api.example/a", "https://api.example/b"],
    ["https://api.example", "http://api.example"],
  ])("of base URLs that are two: %s, %s", (one, other) => {
    expect(baseUrl(one)).not.toBe(baseUrl(other));
  });

  it.each([
    ["s3://bucket/a", "s3://bucket/b"],
    ["s3://bucket/a", "s3://bucket/a?endpoint=minio.example"],
    ["s3://bucket/a?endpoint=minio.example:9000", "s3://bucket/a?endpoint=minio.example:9001"],
    ["azblob://a?storage_account=one", "azblob://a?storage_account=two"],
    ["gs://bucket", "s3://bucket"],
    ["https://api.pulumi.com", "https://pulumi.example"],
  ])("of backends that are two: %s, %s", (one, other) => {
    expect(backend(one)).not.toBe(backend(other));
  });
});

it("distinguishes stacks of two organizations", () => {
  const of = (organization?: string): boolean[] =>
    [undefined, "acme", "other"].map((each) =>
      isSameStack({ ...stack, organization }, each === undefined ? stack : { ...stack, organization: each }),
    );
  expect(of("acme")).toEqual([true, true, false]);
  expect(of(undefined)).toEqual([true, true, true]);
});
