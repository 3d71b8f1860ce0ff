import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitPack } from "../../tools/pulumi/policy-pack.cjs";
import { ROOT } from "../docs/support/markdown";
import { failed, succeeded } from "./support/output";
import { declare, NATIVE, program, programOf } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

/** A link of 50 Mbps costs $78.125 a month, one of 500 Mbps ten times that. */
const links = (...mbps: readonly number[]): string =>
  program(...mbps.map((bandwidthMbps, index) => declare("ConnectConnection", `link${index}`, { bandwidthMbps })));

const session = forSuite(() => Session.start(links(50)));
beforeAll(() => {
  const pack = join(session.stack.folder, "pack");
  cpSync(join(ROOT, "examples", "cost-policy", "pack"), pack, { recursive: true });
  fitPack(pack);
});

/** Previews the stack under the pack, with this configuration of it. */
function preview(budget: object): ReturnType<Session["stack"]["preview"]> {
  const config = join(session.stack.folder, "budget.json");
  writeFileSync(config, JSON.stringify({ "cost-budget": budget }));
  return session.stack.preview(["--policy-pack", "pack", "--policy-pack-config", config]);
}

describe("the policy pack of examples/cost-policy", () => {
  it("fails a preview over the budget, with the largest contributors", async () => {
    session.stack.write(links(50, 500, 200, 50));
    const output = failed(await preview({ monthlyTotal: "1000", perResource: "800" }));
    expect(output).toContain("The stack would cost $1250.00 a month, and its budget is $1000.00.");
    expect(output).toContain(
      "The largest: ConnectConnection link1 $781.25, ConnectConnection link2 $312.50, ConnectConnection link0 $78.13 and 1 more.",
    );
    expect(output).toMatch(/\[mandatory\] +cost-budget/);
    expect(await session.api.heldIds()).toEqual([]);
  });

  it("fails a preview over the budget of one resource", async () => {
    session.stack.write(links(50, 500));
    const output = failed(await preview({ monthlyTotal: "1000", perResource: "781.24" }));
    expect(output).toContain(
      "One resource may cost $781.24 a month. These cost more: ConnectConnection link1 $781.25.",
    );
    expect(output).not.toContain("The stack would cost");
  });

  it("counts resources of the first-class provider", async () => {
    session.stack.write(programOf(NATIVE, declare("ConnectConnection", "link", { bandwidthMbps: 500 })));
    expect(failed(await preview({ monthlyTotal: "100" }))).toContain("The stack would cost $781.25 a month");
  });

  it("passes a preview that meets its budget exactly", async () => {
    session.stack.write(links(50, 500));
    expect(succeeded(await preview({ monthlyTotal: "859.375", perResource: "781.25" }))).not.toContain("cost-budget ");
    expect(succeeded(await preview({}))).not.toContain("would cost");
  });

  it("only warns if the budget is advisory", async () => {
    session.stack.write(links(500));
    const output = succeeded(await preview({ enforcementLevel: "advisory", monthlyTotal: "100" }));
    expect(output).toMatch(/\[advisory\] +cost-budget/);
    expect(output).toContain("The stack would cost $781.25 a month, and its budget is $100.00.");
  });

  it("refuses a budget that is no amount", async () => {
    session.stack.write(links(500));
    expect(failed(await preview({ monthlyTotal: "a lot" }))).toContain("monthlyTotal");
  });
});
