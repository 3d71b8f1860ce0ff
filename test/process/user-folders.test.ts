import os, { homedir } from "node:os";
import { join } from "node:path";
import { compileCacheFolder, journalFolder, pulumiHome, runsFolder } from "../../src/process/user-folders";

const folders = { journal: journalFolder, "compile cache": compileCacheFolder, runs: runsFolder };

it.each([
  ["journal", "linux", { XDG_STATE_HOME: "/x", XDG_CACHE_HOME: "/y" }, "/x/pulumi-cloudinfra/journal"],
  ["journal", "linux", {}, join(homedir(), ".local/state/pulumi-cloudinfra/journal")],
  ["journal", "darwin", { XDG_STATE_HOME: "relative" }, join(homedir(), ".local/state/pulumi-cloudinfra/journal")],
  ["journal", "win32", { LOCALAPPDATA: "/local" }, "/local/pulumi-cloudinfra/journal"],
  ["compile cache", "linux", { XDG_STATE_HOME: "/x", XDG_CACHE_HOME: "/y" }, "/y/pulumi-cloudinfra/compile-cache"],
  ["compile cache", "linux", {}, join(homedir(), ".cache/pulumi-cloudinfra/compile-cache")],
  ["runs", "linux", { XDG_CACHE_HOME: "/y" }, "/y/pulumi-cloudinfra/runs"],
] as const)("finds the folder: %s on %s with %j", (name, platform, environment, folder) => {
  expect(folders[name](environment, platform)).toBe(folder);
});

it("finds Pulumi's folder where Pulumi does, whatever HOME is", () => {
  jest.spyOn(os, "homedir").mockReturnValue("/elsewhere");
  expect(pulumiHome({})).toBe(join(os.userInfo().homedir, ".pulumi"));
  expect(pulumiHome({ PULUMI_HOME: "/pulumi" })).toBe("/pulumi");
  jest.restoreAllMocks();
});

describe("when HOME is empty", () => {
  // As Node answers then. The environment of a test is a copy, which Node does not read.
  beforeEach(() => jest.spyOn(os, "homedir").mockReturnValue(""));
  afterEach(() => jest.restoreAllMocks());

  it("uses the user's home, not the project", () => {
    const { homedir: home } = os.userInfo();
    expect(journalFolder({}, "linux")).toBe(join(home, ".local/state/pulumi-cloudinfra/journal"));
    expect(compileCacheFolder({}, "linux")).toBe(join(home, ".cache/pulumi-cloudinfra/compile-cache"));
  });
});
