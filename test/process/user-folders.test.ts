import os, { homedir } from "node:os";
import { join } from "node:path";
import { compileCacheFolder, journalFolder, runsFolder } from "../../src/process/user-folders";

describe("when the journal's place is asked for, it is in the user's state folder", () => {
  it.each([
    ["linux", { XDG_STATE_HOME: "/x", XDG_CACHE_HOME: "/y" }, "/x/pulumi-cloudinfra/journal"],
    ["linux", {}, join(homedir(), ".local/state/pulumi-cloudinfra/journal")],
    ["darwin", { XDG_STATE_HOME: "relative" }, join(homedir(), ".local/state/pulumi-cloudinfra/journal")],
    ["win32", { LOCALAPPDATA: "/local" }, join("/local", "pulumi-cloudinfra", "journal")],
  ])("%s %j", (platform, environment, folder) => {
    expect(journalFolder(environment, platform)).toBe(folder);
  });
});

describe("when the place for compiled code is asked for, it is in the user's cache folder", () => {
  it.each([
    ["linux", { XDG_STATE_HOME: "/x", XDG_CACHE_HOME: "/y" }, "/y/pulumi-cloudinfra/compile-cache"],
    ["linux", { XDG_CACHE_HOME: "relative" }, join(homedir(), ".cache/pulumi-cloudinfra/compile-cache")],
    ["win32", { LOCALAPPDATA: "/local" }, join("/local", "pulumi-cloudinfra", "compile-cache")],
  ])("%s %j", (platform, environment, folder) => {
    expect(compileCacheFolder(environment, platform)).toBe(folder);
  });
});

it("keeps notes of a run in the user's cache folder", () => {
  expect(runsFolder({ XDG_CACHE_HOME: "/y" }, "linux")).toBe("/y/pulumi-cloudinfra/runs");
});

describe("when HOME is empty", () => {
  // As Node answers then. The environment of a test is a copy, which Node does not ask.
  beforeEach(() => jest.spyOn(os, "homedir").mockReturnValue(""));
  afterEach(() => jest.restoreAllMocks());

  it("uses the user's home, not the project", () => {
    const { homedir: home } = os.userInfo();
    expect(journalFolder({}, "linux")).toBe(join(home, ".local/state/pulumi-cloudinfra/journal"));
    expect(compileCacheFolder({}, "linux")).toBe(join(home, ".cache/pulumi-cloudinfra/compile-cache"));
  });
});
