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

describe("different spellings of one address", () => {
  it.each([
    "file://./state",
    "file://state/",
    `file://${folder}/state/`,
    `file://${folder}//state`,
    `file://${folder}/x/../state`,
    `file://${folder}/link`,
    `file://${folder}/state?no_tmp_dir=true`,
  ])("recognizes the same backend: %s", (text) => {
    expect(backend(text)).toBe(`file://${folder}/state`);
  });

  it.each([
    "s3://bucket/a",
    "s3://bucket/a/?region=us-east-1&awssdk=v2&profile=p",
    "s3://bucket//a?profile=p&region=us-east-1",
    "s3://bucket/a?s3ForcePathStyle=true&disableSSL=true",
  ])("recognizes the same bucket: %s", (text) => expect(backend(text)).toBe("s3://bucket/a"));

  it.each([
    "s3://bucket/a?endpoint=localhost:9000&prefix=p",
    "s3://bucket/a?prefix=p&region=eu&endpoint=http%3A%2F%2F127.0.0.1%3A9000%2F",
  ])("recognizes the same bucket on another S3 server: %s", (text) =>
    expect(backend(text)).toBe("s3://bucket/a?endpoint=127.0.0.1%3A9000&prefix=p"),
  );

  it("recognizes a backend in the home folder", () => {
    expect(backend("file://~/no-such-folder")).toBe(`file://${userInfo().homedir}/no-such-folder`);
  });

  it.each(["http://localhost:80/", "http://127.0.0.1", "http://[::1]/", "HTTP://LOCALHOST"])(
    "recognizes this machine: %s",
    (text) => expect(baseUrl(text)).toBe("http://127.0.0.1"),
  );

  it.each(["https://API.Example/", "https://api.example:443", "https://api.example//"])(
    "recognizes the same API: %s",
    (text) => expect(baseUrl(text)).toBe("https://api.example"),
  );

  it.each(["file://./state", "s3://bucket/a?endpoint=http://[::1]:9000&region=eu"])(
    "is stable when %s is normalized twice",
    (text) => {
      const once = addressOf({ ...stack, backend: text, baseUrl: "http://localhost:4010/x/" }, folder);
      expect(addressOf(once)).toEqual(once);
    },
  );
});

describe("two different addresses", () => {
  it("distinguishes relative backends of two checkouts", () => {
    expect(backend("file://./state", "/one")).not.toBe(backend("file://./state", "/two"));
  });

  it.each([
    ["http://127.0.0.1:4010", "http://127.0.0.1:4011"],
    ["https://api.example/a", "https://api.example/b"],
    ["https://api.example", "http://api.example"],
  ])("distinguishes the base URLs %s and %s", (one, other) => {
    expect(baseUrl(one)).not.toBe(baseUrl(other));
  });

  it.each([
    ["s3://bucket/a", "s3://bucket/b"],
    ["s3://bucket/a", "s3://bucket/a?endpoint=minio.example"],
    ["s3://bucket/a?endpoint=minio.example:9000", "s3://bucket/a?endpoint=minio.example:9001"],
    ["azblob://a?storage_account=one", "azblob://a?storage_account=two"],
    ["gs://bucket", "s3://bucket"],
    ["https://api.pulumi.com", "https://pulumi.example"],
  ])("distinguishes the backends %s and %s", (one, other) => {
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
