import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { changesOf, reportOf } from "./support/cost-report";
import { cloudinfra, type CommandResult } from "./support/command";
import { succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const urnOf = (type: string, name: string): string =>
  `urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:${type}::${name}`;

const costOf =
  (session: Session) =>
  (flags: readonly string[], stdin?: string): Promise<CommandResult> =>
    cloudinfra(session, ["cost", ...flags], { stdin });

const link = (name: string, bandwidthMbps: number, options?: string): string =>
  declare("ConnectConnection", name, { bandwidthMbps }, options);

const BEFORE = program(
  link("swapped", 50),
  link("first_deleted", 50, "{ deleteBeforeReplace: true }"),
  link("gone", 200),
  link("let_go", 50, "{ retainOnDelete: true }"),
  declare("FirewallRule", "changed"),
  declare("FirewallRule", "kept"),
  `cloudinfra.FirewallRule.get("read", changed.id, { vpcId: changed.vpcId });`,
);
const AFTER = program(
  link("swapped", 500),
  link("first_deleted", 200, "{ deleteBeforeReplace: true }"),
  link("fresh", 50),
  declare("FirewallRule", "changed", { destinationPorts: ["80"] }),
  declare("FirewallRule", "kept"),
  declare("FirewallRule", "unknown", { vpcId: "=fresh.id" }),
  `cloudinfra.FirewallRule.get("read", changed.id, { vpcId: changed.vpcId });`,
);
const CHANGES = {
  swapped: "replace 78.125 781.25",
  first_deleted: "replace 78.125 312.50",
  gone: "delete 312.50 0.00",
  let_go: "delete 78.125 78.125",
  fresh: "create 0.00 78.125",
  changed: "update 0.00 0.00",
  kept: "same 0.00 0.00",
  unknown: "create 0.00 null",
};

describe("from a new stack to its end", () => {
  const session = forSuite(() => Session.start(BEFORE));
  const cost = costOf(session);

  it("reports a new stack, and changes nothing", async () => {
    const { result, requests } = await session.api.during(() => cost(["--format", "json"]));

    expect(result).toMatchObject({ code: 0, stderr: "previewing the selected stack…\n" });
    const report = reportOf(result);
    expect(report).toMatchObject({ stack: "dev", before: "0.00", after: "546.875", delta: "546.875", atLeast: false });
    expect(changesOf(report)).toEqual({
      swapped: "create 0.00 78.125",
      first_deleted: "create 0.00 78.125",
      gone: "create 0.00 312.50",
      let_go: "create 0.00 78.125",
      changed: "create 0.00 0.00",
      kept: "create 0.00 0.00",
    });
    expect(requests.filter((request) => !/^GET|^POST .*\/cost$/.test(request))).toEqual([]);
    expect(session.kept()).toEqual([]);
  });

  it("reports each change with both costs", async () => {
    succeeded(await session.up());
    session.stack.write(AFTER);

    const ended = await cost(["--format", "json", "--fail-over-total", "1250.01", "--fail-over-increase", "100"]);

    const report = reportOf(ended);
    expect(changesOf(report)).toEqual(CHANGES);
    expect(report).toMatchObject({ before: "546.875", after: "1250.00", delta: "703.125", atLeast: true });
    expect(report.resources.find(({ name }) => name === "unknown")).toMatchObject({
      status: "unknown",
      reason: "vpcId is not known yet",
    });
    expect(report.resources.find(({ name }) => name === "swapped")).toMatchObject({
      urn: urnOf("ConnectConnection", "swapped"),
      usageDimensions: [
        {
          before: { quantity: 50, unitPrice: "1.5625", monthlyAmount: "78.125" },
          after: { quantity: 500, unitPrice: "1.5625", monthlyAmount: "781.25" },
          delta: "703.125",
        },
      ],
    });
    expect(ended.code).toBe(5);
    expect(ended.stderr).toMatch(/^over budget: dev: the increase would be .*ConnectConnection swapped/m);
    expect(ended.stderr).not.toContain("the total would be");
  });

  it("reports the same from a pipe or a file", async () => {
    const { stdout, code } = await session.stack.pulumi(["preview", "--json", "--show-sames", "--non-interactive"]);
    expect(code).toBe(0);
    const piped = await cost(["--preview", "-", "--format", "json"], stdout);
    expect([piped.code, changesOf(reportOf(piped))]).toEqual([0, CHANGES]);
    writeFileSync(join(session.stack.folder, "preview.json"), stdout);

    const read = await cost(["--preview", "preview.json", "--details"]);

    expect(read).toMatchObject({ code: 0, stderr: "" });
    expect(read.stdout).toMatch(/^\+- ConnectConnection swapped +\$78\.13 +\$781\.25 +\+\$703\.13$/m);
    expect(read.stdout).toMatch(
      /^ +Connect bandwidth \(Mbps\) +50 → 500 +\$1\.5625 +\$78\.125 → \$781\.25 +\+\$703\.125$/m,
    );
    expect(read.stdout).toMatch(/^cost unknown: FirewallRule unknown: vpcId is not known yet$/m);
    expect(read.stdout).toMatch(
      /^kept at the API \(retainOnDelete\), so it still costs money: ConnectConnection let_go$/m,
    );
  });

  it("shows price changes with --requote only", async () => {
    session.stack.write(BEFORE);
    await session.api.setPrices({ networking_connect_mbps: "2" });
    try {
      expect(reportOf(await cost(["--format", "json"]))).toMatchObject({ before: "546.875", delta: "0.00" });

      const { code, stdout } = await cost(["--requote"]);

      expect(code).toBe(0);
      // The program changes nothing: the bill already has this amount.
      expect(stdout).toMatch(/^\$700\.00\/mo, unchanged$/m);
      expect(stdout).toMatch(
        /^prices have moved since the last quotes: \+\$153\.13\/mo, .*ConnectConnection gone \$312\.50\/mo → \$400\.00\/mo/m,
      );
    } finally {
      await session.api.setPrices({ networking_connect_mbps: "1.5625" });
      session.stack.write(AFTER);
    }
  });

  it("reports what a destroy saves, and destroys nothing", async () => {
    const before = await session.api.heldIds();

    const { code, stdout } = await cost(["--destroy", "--format", "json"]);

    expect(code).toBe(0);
    expect(changesOf(reportOf({ code, stdout, stderr: "" }))).toEqual({
      swapped: "delete 78.125 0.00",
      first_deleted: "delete 78.125 0.00",
      gone: "delete 312.50 0.00",
      let_go: "delete 78.125 78.125",
      changed: "delete 0.00 0.00",
      kept: "delete 0.00 0.00",
    });
    expect(await session.api.heldIds()).toEqual(before);
  });
});

it("ends with Pulumi's code if a check fails", async () => {
  const session = await Session.start(program(declare("FirewallRule", "rule", { protocol: "icmp" })));
  const preview = await session.stack.preview();
  expect(preview.code).not.toBe(0);
  const { code, stdout, stderr } = await costOf(session)([]);
  expect([code, stdout]).toEqual([preview.code, ""]);
  expect(stderr).toMatch(/^error: the preview of the selected stack failed:$/m);
  expect(stderr).toMatch(/^FirewallRule rule:\n {2}error: .*protocol: must be one of .* \(is "icmp"\)$/m);
});

it("exits with code 5 over the program's budget", async () => {
  const budget = `new cloudinfra.CostSummary("cost", { budget: { monthlyTotal: "100" } });`;
  const session = await Session.startUp(program(link("old", 50), `new cloudinfra.CostSummary("cost");`));
  const cost = costOf(session);
  session.stack.write(program(link("link", 200), budget));
  // Whatever the environment is set to.
  session.stack.env["CLOUDINFRA_RUN_NOTES"] = join(session.stack.folder, "notes");

  const { code, stdout, stderr } = await cost([]);

  expect(code).toBe(5);
  expect(stdout).toMatch(/^\+ +ConnectConnection link +- +\$312\.50 +\+\$312\.50$/m);
  expect(stdout).toMatch(/^- +ConnectConnection old +\$78\.13 +- +-\$78\.13$/m);
  expect(stderr).toContain("over budget: dev: the total would be $312.50/mo");
  expect(stdout).toMatch(
    /^over budget: the total would be \$312\.50\/mo, \$212\.50\/mo over the budget of \$100\.00\/mo/m,
  );
  expect((await session.api.held()).connections.map((held) => held["bandwidth_mbps"])).toEqual([50]);

  const failed = await session.stack.pulumi(["preview", "--json", "--show-sames", "--non-interactive"]);
  expect(failed.code).not.toBe(0);
  const read = await cost(["--preview", "-"], failed.stdout);
  expect([read.code, read.stdout]).toEqual([5, ""]);
  expect(read.stderr).toMatch(
    /budget of \$100\.00\/mo.*\. Change the program, or raise the budget\nThere is no report/,
  );
});
