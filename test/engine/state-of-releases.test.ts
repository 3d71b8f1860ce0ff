import { version as presentVersion } from "../../package.json";
import { counts, succeeded } from "./support/output";
import { recorded, resume, versions } from "./support/recorded-states";
import { forSuite } from "../support/suite";

it("the present version's state is recorded", () => {
  expect(versions).toContain(presentVersion);
});

describe.each(versions)("with an ordinary stack's state from %s", (version) => {
  const { changed, ...before } = recorded(version, "everyday");
  const session = forSuite(() => resume({ changed, ...before }));

  it("a refresh finds no difference, and keeps the secrets", async () => {
    const output = succeeded(await session.refresh(["--diff"]));
    expect(counts(output)).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
    const { current } = session.shownOutputs() as {
      readonly current: { readonly id: string; readonly key: string };
    };
    const recordedKey = before.objects.apiKeys.find(({ id }) => id === current.id);
    expect(current.key).toBe(recordedKey?.["key"]);
  });

  it("previews the same program without changes", async () => {
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(result))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
    expect(
      [...new Set(requests)].filter(
        (request) => request !== "GET regions" && !request.startsWith("GET firewall_rules/"),
      ),
    ).toEqual([]);
  });

  it("an update changes every resource in place", async () => {
    const ids = session.keptIds();
    session.stack.write(changed);
    const output = succeeded(await session.up());
    expect(output).not.toMatch(/replaced|created|deleted/);
    expect(session.keptIds()).toEqual(ids);
    const foreign = session.one("read-rule").id;
    const own = (await session.api.objects()).filter((object) => ids.includes(object.id)); // not a VM's own volumes
    for (const { id, tags } of own) expect(tags).toEqual(id === foreign ? [] : ["second"]);
    expect(counts(succeeded(await session.stack.preview()))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
  });

  it("a destroy leaves only what the stack has read", async () => {
    const foreign = session.one("read-rule").id;
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect((await session.api.objects()).map(({ id }) => id)).toEqual([foreign]);
  });
});

describe.each(versions)("with a failed run's state from %s", (version) => {
  const { changed, ...before } = recorded(version, "unfinished");

  it("a refresh keeps the objects, and an update completes them", async () => {
    const session = await resume({ changed, ...before });
    // The operation of the interrupted run has ended.
    const [rule] = before.objects.firewallRules;
    await session.api.place("firewallRules", { ...rule, status: "ready" });
    succeeded(await session.refresh());
    expect(session.one("half-made").id).toBe(rule?.id);
    session.stack.write(changed);
    succeeded(await session.up());
    await session.expectAgreement();
    expect((await session.api.objects()).map(({ tags }) => tags)).toEqual([["second"], ["second"]]);
    expect(session.one("half-made").id).toBe(rule?.id);
  });

  it("replaces a broken resource of a run that failed half-way", async () => {
    const session = await resume({ changed, ...before });
    const [rule] = before.objects.firewallRules;
    await session.api.place("firewallRules", { ...rule, status: "error" });
    succeeded(await session.refresh());
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.one("half-made").id).not.toBe(rule?.id);
  });

  it("a destroy leaves nothing", async () => {
    const session = await resume({ changed, ...before });
    expect(session.kept()).toHaveLength(3);
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toEqual([]);
  });
});

describe.each(versions)("when a program of %s changes its import for the plugin", (version) => {
  const native = (program: string): string => program.replace('"pulumi-cloudinfra"', '"pulumi-cloudinfra/native"');

  it("everything moves with its secrets", async () => {
    const before = recorded(version, "everyday");
    const session = await resume(before);
    const recordedIds = session.keptIds();
    session.stack.write(native(before.program));
    const preview = succeeded(await session.stack.preview());
    // It names the resources by their URNs, which have their types in them.
    expect(preview).toContain("CostSummary cost update [diff: ~resources]");
    expect(counts(preview)).toEqual(["~ 1 to update", expect.stringMatching(/^\d+ unchanged$/)]);
    session.stack.write(native(before.changed));
    expect(succeeded(await session.up())).not.toMatch(/replaced|created|deleted/);
    expect(session.keptIds()).toEqual(recordedIds);
    expect(session.kept().filter(({ type }) => !type.startsWith("cloudinfra:index:"))).toEqual([]);
    const { current } = session.shownOutputs() as { readonly current: { id: string; key: string } };
    expect(current.key).toBe(before.objects.apiKeys.find(({ id }) => id === current.id)?.["key"]);
    expect(counts(succeeded(await session.refresh()))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
    const foreign = session.one("read-rule").id;
    succeeded(await session.destroy());
    expect((await session.api.objects()).map(({ id }) => id)).toEqual([foreign]);
  });

  it("an update completes what failed half-way", async () => {
    const before = recorded(version, "unfinished");
    const session = await resume(before);
    const [rule] = before.objects.firewallRules;
    await session.api.place("firewallRules", { ...rule, status: "ready" });
    session.stack.write(native(before.program));
    expect(succeeded(await session.stack.preview())).not.toMatch(/to create|to replace/);
    session.stack.write(native(before.changed));
    succeeded(await session.up());
    await session.expectAgreement();
    expect((await session.api.objects()).map(({ tags }) => tags)).toEqual([["second"], ["second"]]);
    expect(session.one("half-made").id).toBe(rule?.id);
    succeeded(await session.refresh());
    succeeded(await session.destroy());
    expect([...session.kept(), ...(await session.api.heldIds())]).toEqual([]);
  });
});
