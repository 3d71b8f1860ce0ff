import { counts, failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const NOWHERE = "00000000-0000-4000-8000-00000000dead";

afterAll(() => Session.closeAll());

/** Requests of a preview that are no quote. */
const asked = (requests: readonly string[]): string[] => requests.filter((request) => !request.endsWith("/cost"));

/** What was said under the stack. */
const underStack = (output: string): string => {
  const [, block = ""] = /pulumi:pulumi:Stack \([^)]*\):\n((?: {4}.*\n|\n)*)/.exec(output) ?? [];
  return block;
};

describe("when a program names what the API does not have", () => {
  const wrong: [type: string, args: object, said: RegExp][] = [
    [
      "Vm",
      { osImageName: "ubuntu-nobel-2026-05-18" },
      /osImageName: .*there is no image "ubuntu-nobel-2026-05-18"\. The closest are ubuntu-noble-2026-05-18, /,
    ],
    [
      "Vm",
      { instanceType: "n1-standart-2" },
      /instanceType: .*no instance type "n1-standart-2" in us-sva-2\. The closest are n1-standard-2, /,
    ],
    ["Vm", { subnetId: NOWHERE }, /subnetId: .*there is no subnet ".*dead" in .*\. The closest is .* \(default\)/],
    [
      "Volume",
      { region: "us-sva-1", vmId: undefined },
      /region: .*there is no region "us-sva-1"\. The closest are us-sva-2, /,
    ],
    ["Vpc", { projectId: NOWHERE }, /projectId: .*there is no project ".*dead"\. The closest is .* \(default\)/],
    [
      "NksCluster",
      { kubernetesVersion: "v1.34.5" },
      /there is no version of Kubernetes "v1\.34\.5"\. The closest are v1\.34\.4, /,
    ],
    ["FirewallRule", { vpcId: NOWHERE }, /vpcId: .*there is no VPC ".*dead".*\. The closest is .* \(default\)/],
    ["RpcNodeFlex", { projectId: NOWHERE }, /projectId: there is no project ".*dead"\. The closest is .* \(default\)/],
  ];

  it("the preview fails, and lists the closest names", async () => {
    const session = await Session.start(program());
    for (const [type, args, said] of wrong) {
      session.stack.write(program(declare(type, "wrong", args)));
      expect(saidOf(failed(await session.stack.preview()), "wrong")).toMatch(said);
    }
    expect(await session.api.heldIds()).toEqual([]);
  });

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

    session.stack.write(nets(2));
    succeeded(await session.up());
    await session.expectAgreement();
    expect((await session.api.during(() => session.stack.preview())).requests).toEqual([]);
  });

  it("a volume that grows counts by what it grows, and one that is replaced by the difference", async () => {
    const volume = (size: number, tags: readonly string[] = [], type = "abs"): string =>
      program(declare("Volume", "data", { size, type, tags, vmId: undefined }));
    const session = await Session.start(volume(6_000));
    succeeded(await session.up());
    session.stack.write(volume(9_000));
    expect(succeeded(await session.stack.preview())).not.toContain("quotas of");
    session.stack.write(volume(6_000, ["new"]));
    const tagged = await session.api.during(() => session.stack.preview());
    expect(asked(tagged.requests)).toEqual(["PATCH volumes/:id/availability"]); // nothing grows
    session.stack.write(volume(11_000));
    expect(underStack(succeeded(await session.stack.preview()))).toMatch(/ABS storage \(GB\) +10000 +6000 +5000 +1000/);
  });
});

describe("when the region has run out of capacity", () => {
  it("the preview warns with the API's words, and passes once there is capacity again", async () => {
    const session = await Session.start(program(declare("Vm", "web")));
    await session.api.runOut({ "us-sva-2": ["compute.vcpu"] });
    const words = "us-sva-2 has no capacity for more vcpu now";
    expect(saidOf(succeeded(await session.stack.preview()), "web")).toMatch(
      new RegExp(`warning: the API could not do it now: .*${words}`),
    );
    expect(saidOf(failed(await session.up()), "web")).toContain(words);
    await session.expectAgreement();
    await session.api.runOut({});
    expect(succeeded(await session.stack.preview())).not.toContain("could not do it now");
    succeeded(await session.up());
    await session.expectAgreement();
  });
});

describe.each([
  ["answers 500", { status: 500 }],
  ["answers 403", { status: 403 }],
  ["answers with a page of HTML", { status: 200, body: "<html>hello</html>" }],
  ["is answered 400 by something else", { ingress: 400 }],
  ["breaks the connection", { drop: "before" as const }],
])("when an endpoint of the preflight %s", (_what, effect) => {
  it("no preview fails, and the run after it is as usual", async () => {
    const session = await Session.start(
      program(
        declare("Vpc", "net"),
        declare("Vm", "web", { subnetId: "=net.subnet.id" }),
        declare("RpcNodeFlex", "node"),
      ),
    );
    for (const path of ["/availability$", "/quotas/", "/os_images$", "/instance_types$", "/v1/projects"])
      await session.api.fault({ path, ...effect, every: 1 });
    const output = succeeded(await session.stack.preview());
    expect(output).toContain("warning:");
    await session.api.clearFaults();
    expect(succeeded(await session.stack.preview())).not.toContain("warning:");
    succeeded(await session.up());
    await session.expectAgreement();
  });
});
