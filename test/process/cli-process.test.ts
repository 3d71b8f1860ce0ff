import {
  asksForDebugMessages,
  forcesReplacement,
  isPreview,
  leavesDependents,
  leavesOut,
  replaces,
} from "../../src/process/cli-process";

it("only the command counts as a preview, not a stack of that name", () => {
  expect(isPreview(["pulumi", "preview", "--diff", ""])).toBe(true);
  expect(isPreview(["pulumi", "up", "-s", "preview", ""])).toBe(false);
});

it.each(["--debug", "--debug=true", "-d", "-yd", "-dfy"])("%s asks for debug messages", (flag) => {
  expect(asksForDebugMessages(["pulumi", "up", flag, ""])).toBe(true);
});

it.each(["--debug=false", "--diff", "-y", "-sdev", "debug", "--debug-provider"])(
  "does not treat %s as a request for debug messages",
  (flag) => {
    expect(asksForDebugMessages(["pulumi", "up", flag, ""])).toBe(false);
  },
);

it.each([["--target", "urn"], ["--target=urn"], ["-t", "urn"], ["-yt", "urn"], ["-y", "-turn"]])(
  "excludes dependents with %s %s",
  (...flags) => {
    expect(leavesDependents(["pulumi", "up", ...flags, ""])).toBe(true);
    expect(leavesDependents(["pulumi", "up", ...flags, "--target-dependents", ""])).toBe(false);
  },
);

it.each(["--target-replace", "--targets", "--exclude", "-stest", "-y"])(
  "does not exclude dependents with %s",
  (flag) => {
    expect(leavesDependents(["pulumi", "up", flag, "urn", ""])).toBe(false);
  },
);

it.each([["--replace", "urn"], ["--replace=urn"], ["--target-replace", "urn"], ["--target-replace=urn"]])(
  "%s %s forces a replacement",
  (...flags) => {
    expect(forcesReplacement(["pulumi", "up", ...flags, ""])).toBe(true);
    expect(forcesReplacement(["pulumi", "up", "--target", "--replacement", ""])).toBe(false);
  },
);

describe("the resource urn:pulumi:dev::test::cloudinfra:index:Vpc::net", () => {
  const urn = "urn:pulumi:dev::test::cloudinfra:index:Vpc::net";

  it.each([
    ["--target", "urn:pulumi:dev::test::cloudinfra:index:Vpc::other"],
    ["-yt", `${urn}work`],
    ["--target=*::net"],
    ["--target-replace", "**::other"],
    ["--exclude", urn],
    ["--exclude=**t"],
  ])("the resource is left out with %s %s", (...flags) => {
    expect(leavesOut(["pulumi", "up", ...flags, ""], urn)).toBe(true);
  });

  it.each([
    [["--replace", "**::a"], true],
    [["--target-replace=urn:a"], true],
    [["--replace", "urn:b", "--target", "**::a"], false],
  ])("matches a replaced resource with %j: %s", (flags, isNamed) => {
    const urns = ["urn:a", "urn:x::a"];
    expect(urns.some((urn) => replaces(["pulumi", "up", ...flags, ""], urn))).toBe(isNamed);
  });

  it.each([
    ["--target", "**::other", "-t", urn],
    ["--target=**::net"],
    ["--target", "urn:*:dev::*::cloudinfra:*:Vpc::n*"],
    ["--target-replace", urn],
    ["--exclude", `${urn}work`],
    ["--exclude-dependents", "--targets", "urn"],
  ])("includes the resource with %s %s", (...flags) => {
    expect(leavesOut(["pulumi", "up", ...flags, ""], urn)).toBe(false);
  });
});
