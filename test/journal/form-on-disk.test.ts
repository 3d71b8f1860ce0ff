import { readFileSync } from "node:fs";
import type * as Files from "node:fs/promises";
import { join, relative } from "node:path";
import { isNamed, type JournalEntry } from "../../src/journal/entry";
import { FileJournal } from "../../src/journal/file-journal";
import { createRun } from "../../src/lifecycle/run/run";
import { journalFolder } from "../../src/process/user-folders";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { folderForSuite } from "../support/suite";
import { argsOf, collectionPath, World } from "../support/world";

/** The actions of the journal on the disk, and the requests to the API. */
const events: string[] = [];

jest.mock("node:fs/promises", () => {
  const real = jest.requireActual<typeof Files>("node:fs/promises");
  return {
    ...real,
    writeFile: async (path: string, text: string, options: { readonly flush?: boolean }): Promise<void> => {
      await real.writeFile(path, text, options);
      events.push(`file ${options.flush ? "synced" : "written"}`);
    },
    open: async (path: string, flags: string): Promise<Files.FileHandle> => {
      const handle = await real.open(path, flags);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        events.push(`${(await handle.stat()).isDirectory() ? "folder" : "file"} synced`);
      };
      return handle;
    },
    rename: async (from: string, to: string): Promise<void> => {
      await real.rename(from, to);
      events.push("file renamed");
    },
  };
});

const temporary = folderForSuite("form");

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

it("syncs file and folder before the request is sent", async () => {
  const path = new RegExp(`^${collectionPath("FirewallRule")}$`);
  proxy.on({ method: "POST", path }, (_request, forward) => {
    events.push("request sent");
    return forward();
  });
  const run = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal: new FileJournal(temporary) });
  await world.create("FirewallRule", argsOf("FirewallRule", world.simulator), { run });
  const written = ["file synced", "file renamed", "folder synced"];
  expect(events).toEqual([...written, "request sent", ...written, ...written]);
});

describe("a recorded entry", () => {
  const state = join(__dirname, "..", "fixtures", "journal");
  const [sent = "", takenOver = "", secretName = ""] = ["a", "b", "c"].map((end) => `${"0".repeat(31)}${end}`);
  const textOf = (key: string): string =>
    readFileSync(join(state, "pulumi-cloudinfra", "journal", `${key}.json`), "utf8");
  const entryOf = (key: string): JournalEntry => JSON.parse(textOf(key)) as JournalEntry;

  it.each([sent, takenOver, secretName])("a later run finds a recorded entry: %s", async (key) => {
    const { urn } = entryOf(key);
    const config: Record<string, string> = { baseUrl: "https://api.example/", apiKey: "none" };
    const { journal } = createRun({
      config: (name) => config[name],
      environment: { PULUMI_BACKEND_URL: "s3://team/state?region=eu-north-1" },
      journal: new FileJournal(journalFolder({ XDG_STATE_HOME: state }, "linux") ?? ""),
    });
    expect(isNamed(entryOf(key), "https-0123abc")).toBe(key !== takenOver);
    expect(await journal.interrupted(urn)).toEqual([
      { ...entryOf(key), touchedAt: expect.any(String) as string, warned: [] },
    ]);
    expect([journal.adoptions.idsOf("Volume"), journal.adoptions.isNew("5a5a")]).toEqual([["5a5a"], false]);
  });

  it.each([sent, takenOver, secretName])("writes an entry in its recorded form: %s", async (key) => {
    const journal = new FileJournal(temporary);
    await journal.write(entryOf(key));
    const path = journal.pathOf(entryOf(key));
    expect(relative(temporary, path)).toBe(`${key}.json`);
    expect(readFileSync(path, "utf8")).toBe(textOf(key));
  });
});
