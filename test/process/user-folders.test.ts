import os, { homedir } from "node:os";
import { join } from "node:path";
import { compileCacheFolder, journalFolder, runsFolder } from "../../src/process/user-folders";

it.each([
  [journalFolder, "linux", { XDG_STATE_HOME: "/x", XDG_CACHE_HOME: "/y" }, "/x/pulumi-cloudinfra/journal"],
  [journalFolder, "linux", {}, join(homedir(), ".local/state/pulumi-cloudinfra/journal")],
  [journalFolder, "darwin", { XDG_STATE_HOME: "relative" }, join(homedir(), ".local/state/pulumi-cloudinfra/journal")],
  [journalFolder, "win32", { LOCALAPPDATA: "/local" }, "/local/pulumi-cloudinfra/journal"],
  [compileCacheFolder, "linux", { XDG_STATE_HOME: "/x", XDG_CACHE_HOME: "/y" }, "/y/pulumi-cloudinfra/compile-cache"],
  [compileCacheFolder, "linux", {}, join(homedir(), ".cache/pulumi-cloudinfra/compile-cache")],
  [runsFolder, "linux", { XDG_CACHE_HOME: "/y" }, "/y/pulumi-cloudinfra/runs"],
])("user folder %# on %s with %j", (folderOf, platform, environment, folder) => {
  expect(folderOf(environment, platform)).toBe(folder);
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
