import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import type { doctorDocument } from "../../src/cli/doctor/doctor-report";
import type { JournalEntry } from "../../src/journal/entry";
import { FileJournal } from "../../src/journal/file-journal";
import { startSimulator } from "../../src/simulator";
import { thisProcess } from "../../src/process/process-identity";
import { folderForSuite, forEachTest, forSuite } from "../support/suite";
import { journalEntry } from "../support/journal-entry";
import { runDoctor, type DoctorResult } from "./doctor-fixture";
import { PulumiProject, type CliRun } from "./support";

const api = forSuite(() => startSimulator());
const project = forEachTest(() => new PulumiProject());
const state = folderForSuite("state");
/** Runs the doctor while the journal has this entry. */
async function reportOn(entry: JournalEntry, given: CliRun = {}, flags: readonly string[] = []): Promise<DoctorResult> {
  const { environment, ...run } = given;
  await journal.write(entry);
  const result = await runDoctor(api, { ...environment, XDG_STATE_HOME: state }, run, flags);
  await journal.remove(entry);
  return result;
}

const journal = new FileJournal(join(state, "pulumi-cloudinfra", "journal"));

it("names a possible object of an interrupted run", async () => {
  const entry = journalEntry();
  await journal.write(entry);
  const result = await runDoctor(api, { XDG_STATE_HOME: state });
  expect(result.code).toBe(0); // it is not an error of the settings
  expect(result.table["interrupted"]).toBe(
    '-- stack test/dev, with its state in file:///state, 2026-06-15T12:00:00.000Z: firewall rule "https" (if made, it is named "https-0123abc")',
  );
  const advice = 'adopt it with adopt: "<its id>", or delete it with `cloudinfra doctor --delete <its id>`';
  expect(result.stdout).toContain(advice);
  expect(result.stdout).toContain(`cloudinfra doctor --forget ${entry.key}`);
  const refused = { XDG_STATE_HOME: state, CLOUDINFRA_API_KEY: "nobodys" };
  const forget = await runDoctor(api, refused, {}, ["--forget", entry.key]);
  expect(forget.code).toBe(0);
  expect(forget.table["forgotten"]).toContain('ok stack test/dev: firewall rule "https"');
  expect((await journal.all()).entries).toEqual([]);
  const again = await runDoctor(api, { XDG_STATE_HOME: state }, {}, ["--forget", entry.key]);
  expect(again.code).toBe(1);
  expect(again.stdout).toBe(`no  forgotten  the journal has no entry ${entry.key}\n`);
});

it("the doctor says how to delete a command's key", async () => {
  const stack = { ...journalEntry().stack, project: "cloudinfra command", stack: "with-key" };
  const result = await reportOn(journalEntry({ stack, id: "key", noun: "API key" }));
  expect(result.table["interrupted"]).toMatch(/^-- command cloudinfra with-key, /);
  expect(result.stdout).toContain("delete it with `cloudinfra doctor --delete <id>`");
  expect(result.stdout).not.toContain("adopt");
});

it("says that a resource has adopted a command's key", async () => {
  const stack = { ...journalEntry().stack, project: "cloudinfra command", stack: "with-key" };
  const result = await reportOn(journalEntry({ stack, id: "key", noun: "API key", isHandedOver: true }));
  const text = /^ok command cloudinfra with-key: resources have adopted API key "https" \(key, .+\), and the next runs/;
  expect(result.table["journal"]).toMatch(text);
});

it("shows the original settings of an adopted object", async () => {
  const entry = journalEntry({ id: "balancer", noun: "NKS load balancer", foundAs: { publicIpEnabled: false } });
  const result = await reportOn(entry);
  expect(result.table["interrupted"]).toBe(
    '-- stack test/dev, with its state in file:///state, 2026-06-15T12:00:00.000Z: NKS load balancer "https" (balancer, found with publicIpEnabled: false)',
  );
  expect(result.stdout).toContain("set it back to that");
  expect(result.stdout).not.toContain("delete it");
});

it("reports nothing during a run or without entries", async () => {
  const underWay = journalEntry({ sender: { pid: process.ppid, space: thisProcess().space } });
  await journal.write(underWay);
  expect((await runDoctor(api, { XDG_STATE_HOME: state })).stdout).not.toContain("interrupted");
  const forget = await runDoctor(api, { XDG_STATE_HOME: state }, {}, ["--forget", underWay.key]);
  expect([forget.code, forget.table["forgotten"]]).toEqual([1, expect.stringContaining("has not ended")]);
  expect((await journal.all()).entries).toHaveLength(1);
  await journal.remove(underWay);
  expect((await runDoctor(api, { XDG_STATE_HOME: state })).stdout).not.toContain("interrupted");
});

describe("the objects that the next run of a stack confirms", () => {
  const entry = journalEntry({ id: "rule", isHandedOver: true });
  /** Runs the doctor in a project, whose selected stack has these resources. */
  const reportWith = async (
    resources: readonly object[],
    { made = entry, backend = entry.stack.backend, flags = [] as readonly string[] } = {},
  ): Promise<DoctorResult> => {
    project.answer({}, JSON.stringify({ deployment: { resources } }));
    const environment = { ...project.environment, PULUMI_BACKEND_URL: backend };
    return reportOn(made, { environment, cwd: project.folder }, flags);
  };
  /** An entry of another stack with these members. */
  const elsewhere = (other: Partial<JournalEntry["stack"]>): JournalEntry =>
    journalEntry({ ...entry, stack: { ...entry.stack, ...other } });

  it("says nothing of an object that the state has", async () => {
    const { stdout } = await reportWith([{ urn: entry.urn, type: "t", id: "RULE" }]);
    expect(stdout).not.toContain("journal");
    expect(stdout).not.toContain("--forget");
  });

  it("names an object that the state only reads", async () => {
    const { table } = await reportWith([{ urn: entry.urn, type: "t", id: "rule", external: true }]);
    expect(table["journal"]).toContain("and no resource in the state manages it");
  });

  it("names an object that the state does not have", async () => {
    const { code, table, stdout } = await reportWith([]);
    expect(code).toBe(0);
    expect(table["journal"]).toBe(
      '-- stack test/dev: an earlier run made or took over firewall rule "https" (rule, named "https-0123abc"), and no resource in the state manages it',
    );
    expect(stdout).toContain(`then remove the entry:\n  cloudinfra doctor --forget ${entry.key}`);
  });

  it("says when to forget an object if its stack cannot be read, as after a rename", async () => {
    project.stacks({});
    const environment = { ...project.environment, PULUMI_BACKEND_URL: entry.stack.backend };
    const { table, stdout } = await reportOn(entry, { environment, cwd: project.folder }, ["--stack", "dev"]);
    expect(table["journal"]).toMatch(/^-- stack test\/dev: .* \(rule, .*\), and its state cannot be read, see below$/);
    expect(stdout).toContain(
      "If stack test/dev was renamed, look for it with `pulumi stack export --stack <present name>`. If that state has it, " +
        `remove the entry:\n  cloudinfra doctor --forget ${entry.key}\n`,
    );
  });

  it("reads no state for a stack of that name in another backend or organization", async () => {
    const text = "ok stack test/dev: the next run of this stack checks that the state has the object of the last run";
    expect((await reportWith([], { backend: "file:///other" })).table["journal"]).toBe(text);
    const made = elsewhere({ organization: "acme" });
    expect((await reportWith([], { made, flags: ["--stack", "other/dev"] })).table["journal"]).toBe(text);
    expect((await reportWith([], { made, flags: ["--stack", "acme/dev"] })).table["journal"]).toContain("no resource");
  });

  it("counts the stacks of other projects in one line", async () => {
    const made = elsewhere({ project: "other" });
    const second = { ...made, key: "0000000000000000000000000000000b", stack: { ...made.stack, stack: "prod" } };
    await journal.write(second);
    const { table, stdout } = await reportWith([], { made });
    const all = await reportWith([], { made, flags: ["--all"] });
    await journal.write(journalEntry({ key: second.key, stack: second.stack }));
    const interrupted = await reportWith([], { made });
    await journal.remove(second);
    expect(table["journal"]).toBe("ok 2 stacks of other projects have entries");
    expect(stdout).toContain("run `cloudinfra doctor --all`");
    expect(stdout).not.toContain("stack other/");
    expect(all.stdout).toMatch(/stack other\/dev: .*\n.*stack other\/prod: /);
    expect(interrupted.table["journal"]).toBe("-- 2 stacks of other projects have entries, some of interrupted runs");
  });

  it("counts the objects of another stack, and lists them in JSON", async () => {
    const made = elsewhere({ stack: "prod" });
    const second = { ...made, key: "0000000000000000000000000000000b", id: "second" };
    await journal.write(second);
    const { table, stdout } = await reportWith([], { made });
    const json = await reportWith([], { made, flags: ["--format", "json"] });
    await journal.remove(second);
    expect(table["journal"]).toBe(
      "ok stack test/prod: the next run of this stack checks that the state has the 2 objects of the last run",
    );
    expect(stdout).toContain("`cloudinfra doctor --stack <name>`");
    expect(stdout).toContain("run `cloudinfra doctor --format json`");
    expect(stdout).not.toContain("--forget");
    const { findings } = JSON.parse(json.stdout) as z.infer<typeof doctorDocument>;
    const listed = findings.flatMap(({ entries = [] }) => entries);
    expect(listed.toSorted((one, other) => one.key.localeCompare(other.key))).toEqual([
      { object: 'firewall rule "https" (rule, named "https-0123abc")', key: made.key },
      { object: 'firewall rule "https" (second, named "https-0123abc")', key: second.key },
    ]);
  });
});

it("says that a file stands in the place of the journal", async () => {
  const home = join(state, "other");
  const folder = join(home, "pulumi-cloudinfra", "journal");
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, "");
  const result = await runDoctor(api, { XDG_STATE_HOME: home });
  const fault = "it, or a part of its path, is a file, not a folder";
  expect(result.table["journal"]).toBe(`no ${folder} cannot be read: ${fault}`);
  expect(result.stdout).toContain("Make the journal a folder that you can read and write");
});

it("names the file of a damaged entry", async () => {
  const entry = journalEntry();
  const path = join(dirname(journal.pathOf(entry)), "x.json");
  writeFileSync(path, "{");
  const result = await reportOn(entry);
  expect(result.code).toBe(1);
  expect(result.table["journal"]).toContain(`no ${path} is damaged (not JSON)`);
  expect(result.stdout).toContain("Look for the object in the API, then delete the file.");
  expect(existsSync(path)).toBe(true);
  const forget = await reportOn(entry, {}, ["--forget", entry.key, "x"]);
  rmSync(path);
  expect([forget.code, forget.table["journal"]]).toEqual([1, expect.stringContaining(`no ${path} is damaged`)]);
  expect(forget.stdout).toContain("the journal has no readable entry x");
});
