import { decimal, dollars } from "../../src/cost/money";
import { partsOf, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { basicsOf, declare, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const summary = `const cost = new cloudinfra.CostSummary("cost");`;
const outputs = `exports.before = cost.before; exports.after = cost.after; exports.delta = cost.delta; exports.atLeast = cost.atLeast;`;
const link = (name: string, bandwidthMbps: number, options = "{}"): string =>
  declare("ConnectConnection", name, { bandwidthMbps }, options);

/** The stack outputs as a preview prints them, without the sign of their change. */
function outputsOf(printed: string): Record<string, string> {
  const [, text = ""] = printed.split(/^Outputs:$/m);
  const lines = text.split(/^Resources:$/m)[0]!.split("\n");
  return Object.fromEntries(
    lines.flatMap((line) => {
      const match = /^ {2}[ +~-]? ?(\w+) *: (?:.* => )?(.*)$/.exec(line);
      return match ? [[match[1]!, match[2]!.replaceAll('"', "")]] : [];
    }),
  );
}

/** The names of all resources under "Diagnostics". */
function onlyDiagnosticsOf(printed: string): string[] {
  const [, diagnostics = ""] = printed.split(/^Diagnostics:$/m);
  return [...diagnostics.matchAll(/^ {2}\S+ \((.+)\):$/gm)].map(([, name = ""]) => name);
}

/** The lines about the summary, with runs of blanks as one. */
function tableOf(printed: string): string[] {
  return diagnosticsOf(printed, "cost")
    .split("\n")
    .map((line) => line.replaceAll(/ +/g, " "));
}

describe("when a program has a cost summary", () => {
  const session = forSuite(() =>
    Session.start(program(summary, link("a", 50), link("b", 200), declare("ApiKey", "key"), outputs)),
  );

  it("previews one table and known outputs, also if declared first", async () => {
    const now = await session.api.bill();
    const [before, after] = [decimal(now), decimal(now).plus("390.625")].map(dollars);
    const { result, requests } = await session.api.during(() => session.stack.preview());
    const printed = succeeded(result);
    expect(rowOf(printed, "a")).toContain("create +$78.13/mo");
    expect(onlyDiagnosticsOf(printed)).toEqual(["cost"]);
    expect(rowOf(printed, "cost")).toBe(
      "+  pulumi-nodejs:dynamic/cloudinfra:CostSummary cost create +$390.63/mo ($0.00/mo → $390.63/mo)",
    );
    expect(tableOf(printed).slice(0, 7)).toEqual([
      "+$390.63/mo ($0.00/mo → $390.63/mo)",
      "cost per month before after difference",
      "+ ConnectConnection b - $312.50 +$312.50",
      "+ ConnectConnection a - $78.13 +$78.13",
      "total $0.00 $390.63 +$390.63",
      "1 resource costs nothing: 1 new",
      expect.stringContaining(`the organization, estimated: ${before}/mo now → ${after}/mo, balance $10,000.00`),
    ]);
    expect(outputsOf(printed)).toEqual({ before: "0.00", after: "390.625", delta: "390.625", atLeast: "false" });
    // Any resource's list shows whether the key reaches the project, so the first one decides.
    const isOther = (request: string, nth: number): boolean =>
      request !== "GET vms" && (!request.startsWith("GET ") || requests.indexOf(request) === nth);
    expect(requests.filter(isOther).sort()).toEqual([
      "GET api_keys",
      "GET audit_logs",
      "GET connections",
      "GET routes",
      "PATCH api_keys/:none",
      "PATCH connections/:none",
      "PATCH vms/:none",
      "POST api_keys/cost",
      "POST connections/cost",
      "POST connections/cost",
    ]);
    expect(await session.api.heldIds()).toEqual([]);
  });

  it("shows the same table in the update", async () => {
    const printed = succeeded(await session.up());
    expect(tableOf(printed)).toContain("total $0.00 $390.63 +$390.63");
    expect(outputsOf(printed)).toEqual({ before: "0.00", after: "390.625", delta: "390.625", atLeast: "false" });
    const kept = session.one("cost").outputs["resources"] as { urn: string; monthlyTotal: string }[];
    expect(kept.map(({ urn, monthlyTotal }) => [urn.split("::").at(-1), monthlyTotal])).toEqual([
      ["key", "0.00"],
      ["a", "78.125"],
      ["b", "312.50"],
    ]);
    expect(await session.api.heldIds()).toHaveLength(3);
  });

  it("says in one line that nothing changes", async () => {
    const { result, requests } = await session.api.during(() => session.stack.up());
    const { preview, update } = partsOf(succeeded(result));
    expect(diagnosticsOf(preview, "cost")).toBe("$390.63/mo, unchanged");
    expect(preview).toContain("5 unchanged");
    expect(outputsOf(preview)).toEqual({ before: "390.625", delta: "0.00" });
    expect(requests).toEqual([]);
    expect(update).toContain("5 unchanged");
    expect(outputsOf(update)).toEqual({ before: "390.625", after: "390.625", delta: "0.00", atLeast: "false" });
  });

  it("counts resources outside --target with their former cost", async () => {
    session.stack.write(program(link("a", 200), link("b", 500), declare("ApiKey", "key"), summary, outputs));
    const targets = ["ConnectConnection::a", "CostSummary::cost"].flatMap((end) => [
      "--target",
      `urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:${end}`,
    ]);
    const table = tableOf(succeeded(await session.stack.preview(targets)));
    expect(table).toContain("total $390.63 $625.00 +$234.38");
    const text = "not part of this run, so counted as this summary last saw it: ConnectConnection b";
    expect(table.join(" ")).toMatch(new RegExp(`${text}(?!,)`));
  });

  it("counts the same cost for a resource that --replace replaces", async () => {
    session.stack.write(program(link("a", 50), link("b", 200), declare("ApiKey", "key"), summary, outputs));
    const replaced = ["--replace", session.one("a").urn];
    const table = tableOf(succeeded(await session.stack.preview(replaced)));
    expect(table[0]).toBe("$390.63/mo as before");
  });

  it("counts a removed resource that the run excludes", async () => {
    session.stack.write(program(link("a", 50), declare("ApiKey", "key"), summary, outputs));
    const text = "not part of this run, so counted as this summary last saw it: ConnectConnection b";
    for (const flags of [
      ["--exclude", "**::b"],
      ["--target", "**::cost", "--target", "**::a"],
    ]) {
      const table = tableOf(succeeded(await session.stack.preview(flags)));
      expect(table.join(" ")).toMatch(new RegExp(`^\\$390\\.63/mo, unchanged.* ${text}$`));
    }
    session.stack.env["PULUMI_OPTION_EXCLUDE"] = "**::b";
    expect(tableOf(succeeded(await session.stack.preview())).join(" ")).toContain(text);
    delete session.stack.env["PULUMI_OPTION_EXCLUDE"];
    const table = tableOf(succeeded(await session.stack.preview(["--target", "**::cost", "--target", "**::b"])));
    expect(table).toContain("- ConnectConnection b $312.50 - -$312.50");
  });

  it("shows updates, replacements and deletions in one table", async () => {
    session.stack.write(program(link("a", 500), declare("ApiKey", "key", { tags: ["renamed"] }), summary, outputs));
    const { preview, update } = partsOf(succeeded(await session.stack.up()));
    expect(tableOf(preview).slice(0, 6)).toEqual([
      "+$390.63/mo, +100% ($390.63/mo → $781.25/mo)",
      "cost per month before after difference",
      "+- ConnectConnection a $78.13 $781.25 +$703.13",
      "- ConnectConnection b $312.50 - -$312.50",
      "total $390.63 $781.25 +$390.63",
      expect.stringMatching(/^1 resource costs nothing: /),
    ]);
    expect(outputsOf(update)).toEqual({ before: "390.625", after: "781.25", delta: "390.625", atLeast: "false" });
    expect((await session.api.held()).connections.map((held) => held["bandwidth_mbps"])).toEqual([500]);
    expect(session.one("cost").outputs["resources"]).toHaveLength(2);
  });

  it("counts no change for a resource renamed by an alias", async () => {
    const renamed = link("renamed", 500, `{ aliases: [{ name: "a" }] }`);
    session.stack.write(program(renamed, declare("ApiKey", "key", { tags: ["renamed"] }), summary, outputs));
    expect(diagnosticsOf(succeeded(await session.up()), "cost")).toBe("$781.25/mo, unchanged");
    expect((await session.api.held()).connections).toHaveLength(1);
  });
});

it("counts resources of components and callbacks with --parallel 1", async () => {
  const session = await Session.start(
    program(
      summary,
      `const ARGS = ${JSON.stringify(basicsOf("ConnectConnection"))};
      class Inner extends pulumi.ComponentResource {
        constructor(name, options) {
          super("test:index:Inner", name, {}, options);
          this.link = new cloudinfra.ConnectConnection(name + "-link", ARGS, { parent: this });
        }
      }
      class Outer extends pulumi.ComponentResource {
        constructor(name) {
          super("test:index:Outer", name);
          new Inner(name + "-one", { parent: this });
          new Inner(name + "-two", { parent: this }).urn.apply(() => new Inner(name + "-three", { parent: this }));
        }
      }
      new Outer("outer");`,
      outputs,
    ),
  );
  const { preview, update } = partsOf(succeeded(await session.stack.up(["--parallel", "1"])));
  expect(outputsOf(preview)).toMatchObject({ after: "234.375", atLeast: "false" });
  expect(outputsOf(update)).toMatchObject({ before: "0.00", after: "234.375", delta: "234.375" });
  expect((await session.api.held()).connections).toHaveLength(3);
  expect(session.one("cost").outputs["resources"]).toHaveLength(3);
});

/** Another provider's resource, whose creation takes `ms` milliseconds. */
const foreign = (name: string, value: string, ms = 0): string =>
  `const ${name} = new (class Foreign extends pulumi.dynamic.Resource {})({
    create: async (outs) => new Promise((done) => setTimeout(() => done({ id: "${name}", outs }), ${ms})),
  }, "${name}", { value: ${value} });`;

describe("when a resource comes after everything else", () => {
  it("waits for a resource that follows a slow foreign resource", async () => {
    const slow = foreign("slow", `"tag"`, 1_500);
    const session = await Session.start(
      program(summary, slow, `slow.id.apply(() => { ${link("after", 50)} });`, outputs),
    );
    const up = succeeded(await session.up());
    expect(outputsOf(up)).toMatchObject({ after: "78.125", atLeast: "false" });
    expect((await session.api.held()).connections).toHaveLength(1);
  });

  it("waits for a resource that a promise creates", async () => {
    const session = await Session.start(
      program(
        summary,
        link("early", 50),
        `exports.late = new Promise((done) => setTimeout(done, 4500)).then(() => { ${link("late", 200)} return late.id; });`,
      ),
    );
    const printed = succeeded(await session.stack.preview());
    expect(tableOf(printed)).toContain("total $0.00 $390.63 +$390.63");
  });

  it("names a resource that is registered too late", async () => {
    const session = await Session.start(
      program(summary, link("early", 50), `cost.after.apply(() => { ${link("late", 200)} });`),
    );
    const printed = succeeded(await session.stack.preview());
    expect(diagnosticsOf(printed, "late")).toContain(
      "warning: not included in the cost summary cost: it was registered too late",
    );
    expect(tableOf(printed)).toContain("total $0.00 $78.13 +$78.13");
  });
});

it("names a resource that depends on the summary indirectly", async () => {
  const dependent = declare("ConnectConnection", "dependent", { tags: ["=between.value"] });
  const session = await Session.start(program(summary, link("early", 50), foreign("between", "cost.after"), dependent));
  const printed = succeeded(await session.up());
  expect(diagnosticsOf(printed, "cost")).toMatch(/^not included .*: dependent$/m);
  expect(tableOf(printed)).toContain("total, at least $0.00 $78.13 +$78.13");
  expect((await session.api.held()).connections).toHaveLength(2);
});
