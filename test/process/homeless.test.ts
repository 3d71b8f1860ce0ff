import os from "node:os";
import { homelessJournal } from "../../src/journal/journal";
import { compileCacheFolder, journalFolder } from "../../src/process/user-folders";
import { v1 } from "../../src/provider";
import { argsOf, World } from "../support/world";

/** As Node behaves for a container's user without an entry in the system. */
function noEntry(): never {
  throw Object.assign(new Error("A system error occurred: uv_os_homedir returned ENOENT"), {
    code: "ERR_SYSTEM_ERROR",
  });
}

beforeEach(() => {
  jest.spyOn(os, "homedir").mockImplementation(noEntry);
  jest.spyOn(os, "userInfo").mockImplementation(noEntry);
});
afterEach(() => jest.restoreAllMocks());

describe("when the user has neither a HOME nor an entry in the system", () => {
  it("loads the provider without a home folder", () => {
    expect(journalFolder({}, "linux")).toBeUndefined();
    expect(compileCacheFolder({}, "linux")).toBeUndefined();
    expect(Object.keys(v1("FirewallRule"))).toContain("delete");
  });

  it("uses an XDG folder unchanged", () => {
    expect(journalFolder({ XDG_STATE_HOME: "/state" }, "linux")).toBe("/state/pulumi-cloudinfra/journal");
  });

  it("creates and deletes without a journal, and warns", async () => {
    const world = await World.start();
    try {
      const run = world.run({}, { journal: homelessJournal });
      const made = await world.create("FirewallRule", argsOf("FirewallRule", world.simulator), { run });
      expect(run.warnings()).toEqual([
        expect.stringContaining("this user has no home folder: set HOME or XDG_STATE_HOME"),
      ]);
      await made.lifecycle.delete(made.id, made.outs);
      expect(await world.objects("FirewallRule")).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
