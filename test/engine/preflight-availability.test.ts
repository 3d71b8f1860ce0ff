import { counts, failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const NOWHERE = "00000000-0000-4000-8000-00000000dead";

describe("when a kind has an availability endpoint", () => {
  const volume = (args: object = {}): string => program(declare("Volume", "data", { size: 100, type: "abs", ...args }));

  it("the preview fails on a refusal in the API's words, and a corrected program is what the next run makes", async () => {
    const session = await Session.start(volume({ vmId: NOWHERE }));
    const preview = await session.api.during(() => session.stack.preview());
    expect(saidOf(failed(preview.result), "data")).toContain("the API refuses it: vmId: no such VM");
    expect(preview.requests.filter((request) => request.endsWith("/availability"))).toEqual([
      "POST volumes/availability",
    ]);
    expect(await session.api.heldIds()).toEqual([]);

    session.stack.write(volume());
    succeeded(await session.stack.preview());
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => request.endsWith("/availability"))).toEqual([]); // the creation is the check
    await session.expectAgreement();
    const next = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(next.result))).toEqual(["2 unchanged"]);
    expect(next.requests).toEqual([]);
  });

  it("the preview warns of what there is no room for now, and the update fails with the same words", async () => {
    const full = declare("Volume", "full", { size: 5_000, type: "abs" });
    const session = await Session.start(program(full));
    succeeded(await session.up());
    session.stack.write(program(full, declare("Volume", "data", { size: 5_001, type: "abs" })));
    const words = "quota exceeded in us-sva-2: 5000 of 10000 abs used, and 5001 more asked for";
    const said = saidOf(succeeded(await session.stack.preview()), "data");
    expect(said).toMatch(/^warning: the API could not do it now: 409 CONFLICT_ERROR: .*/m);
    expect(said).toContain(words);
    expect(saidOf(failed(await session.up()), "data")).toContain(words);
    await session.expectAgreement();
  });
});

describe("when an existing VM changes, and something new is refused", () => {
  const WRONG = { instanceType: "n1-standart-2" };
  const LARGE = { bootVolume: { size: 8_000, type: "abs" } };
  const NO_ROOM = /the API could not do it now: .*quota exceeded in us-sva-2: 5064 of 10000 abs used/;
  const vm = (args: object): string =>
    [declare("Volume", "full", { size: 5_000, type: "abs" }), declare("Vm", "web", args)].join("\n");
  const others = [
    declare("Volume", "data", { vmId: NOWHERE }),
    declare("Vpc", "net"),
    declare("Vm", "next", { subnetId: "=net.subnet.id", ...LARGE }),
    // Of the same price, so no request shows its image to the API.
    declare("Vm", "twin", { subnetId: "=net.subnet.id", osImageName: "debian-trixy", ...LARGE }, "{ dependsOn: next }"),
  ];
  const availability = (requests: readonly string[]): string[] =>
    requests.filter((request) => request.endsWith("/availability"));

  it("with preflight at fail, its availability and that of its boot volume decide, each at its own endpoint", async () => {
    const session = await Session.start(program(vm({})));
    succeeded(await session.up());
    session.stack.write(program(vm(WRONG)));
    const refused = await session.api.during(() => session.stack.preview());
    expect(saidOf(failed(refused.result), "web")).toMatch(/the API refuses it: instanceType: .* n1-standard-2/);
    expect(availability(refused.requests)).toEqual(["PATCH vms/:id/availability"]);

    session.stack.write(program(vm(LARGE)));
    const grown = await session.api.during(() => session.stack.preview());
    expect(saidOf(succeeded(grown.result), "web")).toMatch(NO_ROOM);
    expect(availability(grown.requests)).toEqual(["PATCH volumes/:id/availability"]);
  });

  it("with preflight at warn, the preview passes with a warning for each refusal", async () => {
    const session = await Session.start(program(vm({})), { config: { "cloudinfra:preflight": "warn" } });
    succeeded(await session.up());
    session.stack.write(program(vm({ ...WRONG, ...LARGE }), ...others));
    const output = succeeded(await session.stack.preview());
    expect(saidOf(output, "web")).toMatch(/warning: the API refuses it: instanceType: .*the update would fail too/);
    expect(saidOf(output, "web")).toMatch(NO_ROOM);
    expect(saidOf(output, "data")).toMatch(/warning: the API refuses it: vmId: no such VM.*the update would fail too/);
    expect(saidOf(output, "twin")).toMatch(/warning: osImageName: there is no image "debian-trixy".*would fail too/);
    expect(saidOf(output, "next")).toMatch(/warning: does not fit into the quotas of us-sva-2/);
    expect(output).toContain("have no room for everything");
  });

  it("with preflight off, the preview asks for prices and nothing else", async () => {
    const session = await Session.start(program(vm({})), { config: { "cloudinfra:preflight": "off" } });
    succeeded(await session.up());
    session.stack.write(program(vm({ ...WRONG, ...LARGE }), ...others));
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(succeeded(result)).not.toContain("warning:");
    expect(requests).not.toEqual([]);
    expect(requests.filter((request) => !request.endsWith("/cost"))).toEqual([]);
  });
});
