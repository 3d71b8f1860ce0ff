import { counts, failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

/** Requests of a preview that are no quote. */
const asked = (requests: readonly string[]): string[] => requests.filter((request) => !request.endsWith("/cost"));

/** What was said under the stack. */
const underStack = (output: string): string => {
  const [, block = ""] = /pulumi:pulumi:Stack \([^)]*\):\n((?: {4}.*\n|\n)*)/.exec(output) ?? [];
  return block;
};

describe("when a program names what the API does not have", () => {
  it("a list is read for what no request could show to be right, and the corrected program is what the next run makes", async () => {
    const subnetId = "=net.subnet.id"; // it is not known yet, so the body is not complete
    const web = (osImageName: string): string =>
      program(
        declare("Vpc", "net"),
        declare("Vm", "web", { subnetId }),
        declare("Vm", "twin", { osImageName, subnetId }, "{ dependsOn: web }"), // of the same price
      );
    const session = await Session.start(web("debian-trixy"));
    const said = saidOf(failed(await session.stack.preview()), "twin");
    expect(said).toContain(`osImageName: there is no image "debian-trixy". The closest are debian-trixie-2026-01-12`);

    session.stack.write(web("debian-trixie-2026-01-12"));
    const { result, requests } = await session.api.during(() => session.stack.preview());
    succeeded(result);
    // The VPC's check and the price of the VMs have shown the rest to be right.
    expect(asked(requests).sort()).toEqual([
      "GET instance_types",
      "GET quotas/us-sva-2",
      "GET vms/os_images",
      "POST vpcs/availability",
    ]);
    succeeded(await session.up());
    await session.expectAgreement();
    const next = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(next.result))).toEqual(["4 unchanged"]);
    expect(next.requests).toEqual([]);
  });
});

describe("when a region has no room", () => {
  it("one table under the stack shows the quota, and each resource that does not fit says so", async () => {
    const nets = (count: number): string =>
      program(
        ...Array.from({ length: count }, (_, index) =>
          declare("Vpc", `net${index}`, {}, index === 0 ? "{}" : `{ dependsOn: net${index - 1} }`),
        ),
      );
    const session = await Session.start(nets(11));
    const { result, requests } = await session.api.during(() => session.stack.preview());
    const output = succeeded(result);
    expect(underStack(output)).toMatch(/Quota +Limit +Used +Added +Missing\n +VPCs +10 +1 +10 +1\n/);
    expect(underStack(output)).toContain("Resources that leave the program are not counted");
    expect(underStack(output).split("have no room for everything")).toHaveLength(2);
    expect(saidOf(output, "net9")).toContain(
      "does not fit into the quotas of us-sva-2 any longer: with it, VPCs: 11 of 10",
    );
    expect(saidOf(output, "net10")).toContain("with it, VPCs: 12 of 10");
    expect(saidOf(output, "net8")).not.toContain("does not fit into");
    expect(requests.filter((request) => request.startsWith("GET "))).toEqual(["GET quotas/us-sva-2"]);
  });
});

describe("when the endpoints of the preflight answer with a page of HTML", () => {
  it("no preview fails, and the run after it is as usual", async () => {
    const session = await Session.start(
      program(
        declare("Vpc", "net"),
        declare("Vm", "web", { subnetId: "=net.subnet.id" }),
        declare("RpcNodeFlex", "node"),
      ),
    );
    for (const path of ["/availability$", "/quotas/", "/os_images$", "/instance_types$", "/v1/projects"])
      await session.api.fault({ path, status: 200, body: "<html>hello</html>", every: 1 });
    const output = succeeded(await session.stack.preview());
    expect(output).toContain("warning:");
    await session.api.clearFaults();
    expect(succeeded(await session.stack.up())).not.toContain("warning:");
    await session.expectAgreement();
  });
});
