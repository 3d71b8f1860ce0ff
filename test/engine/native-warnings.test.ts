import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interruptedUp, isRunning, openEntries, until } from "./support/interruption";
import { failed, succeeded } from "./support/output";
import { basicsOf } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml, yaml, type YamlResource } from "./support/yaml";

const INTERRUPTED = "An earlier run was interrupted";
const NO_ROOM = "have no room for everything";
const REFUSED_QUOTAS = "The preview could not look at the quotas";

/** How often it is said under Diagnostics. The row repeats a last line. */
function times(output: string, text: string): number {
  const [, diagnostics = ""] = output.split(/^Diagnostics:$/m);
  return diagnostics.split(text).length - 1;
}
const volume = (size: number, name = "data"): Record<string, YamlResource> => ({
  [name]: yaml("Volume", { size, type: "abs" }),
});

describeYaml("when a run of a YAML program is killed while a rule is created, and the program drops the rule", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start({ resources: { https: yaml("FirewallRule", basicsOf("FirewallRule")) } });
    await session.api.fault({ method: "POST", path: `^${session.api.rules}$`, delay: "10m" });
    await interruptedUp(session, async () => (await session.api.heldIds()).length > 0, ["SIGKILL"]);
    // The plugin ends by itself. As long as it runs, its creation is under way.
    await until(() => openEntries(session).every(({ sender }) => !isRunning(sender.pid)));
    await session.api.clearFaults();
    session.cancel();
    session.stack.write({ resources: volume(10) });
  });

  it("the next preview names what may be left, and the run after it no longer does", async () => {
    const [rule] = (await session.api.held()).firewallRules;
    const preview = succeeded(await session.stack.preview());
    expect(times(preview, INTERRUPTED)).toBe(1);
    expect(preview).toContain(`firewall rule "https" (if made, it is named "${rule!.name}")`);
    expect(openEntries(session)).toHaveLength(1); // for the doctor
    expect(succeeded(await session.up())).not.toContain(INTERRUPTED);
    expect((await session.api.held()).firewallRules).toEqual([rule]);
  });

  it("a damaged entry is named in each run", async () => {
    const folder = join(session.stack.folder, "xdg-state", "pulumi-cloudinfra", "journal");
    const [entry = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /json$/.test(name),
    );
    const damaged = join(folder, entry);
    writeFileSync(damaged, "{");
    for (const run of [() => session.stack.preview(), () => session.up()])
      expect(times(succeeded(await run()), `entries that cannot be read: ${damaged}`)).toBe(1);
  });
});

describeYaml("when the region of a YAML program has no room", () => {
  it("its preview has one table under the stack, and the update none", async () => {
    const session = await Session.start({ resources: { ...volume(6_000), ...volume(5_000, "more") } });
    for (let preview = 0; preview < 2; preview++) {
      const output = succeeded(await session.stack.preview());
      expect(times(output, NO_ROOM)).toBe(1);
      expect(output).toMatch(/ABS storage \(GB\) +10000 +0 +11000 +1000/);
    }
    expect((await session.up()).output).not.toContain(NO_ROOM);
    session.stack.write({ resources: volume(10, "less") });
    expect(succeeded(await session.stack.preview())).not.toContain(NO_ROOM);
  });
});

describeYaml("when the API refuses to show the quotas of a YAML program", () => {
  it("each preview says so once, and the update does not", async () => {
    const session = await Session.start({ resources: volume(10) });
    await session.api.fault({ path: "/quotas/", status: 403, every: 1 });
    for (let preview = 0; preview < 2; preview++)
      expect(times(succeeded(await session.stack.preview()), REFUSED_QUOTAS)).toBe(1);
    expect(succeeded(await session.up())).not.toContain(REFUSED_QUOTAS);
    await session.expectAgreement();
  });
});

describeYaml("when the API refuses the key of a YAML program's stack, and the environment has a good one", () => {
  it("each run says which one it continues with", async () => {
    const session = await Session.start({ resources: volume(10) }, { config: { "cloudinfra:apiKey": "revoked" } });
    for (const run of [() => session.stack.preview(), () => session.up()])
      expect(times(succeeded(await run()), "The API refused the API key from")).toBe(1);
  });
});

describeYaml("when the API refuses a creation of a YAML program", () => {
  it("the preview fails, and still shows the warnings under the stack", async () => {
    const web = yaml("Vm", { ...basicsOf("Vm"), region: "us-sva-1" });
    const session = await Session.start({ resources: { web } });
    await session.api.fault({ path: "/quotas/", status: 403, every: 1 });
    expect(times(failed(await session.stack.preview()), REFUSED_QUOTAS)).toBe(1);
  });
});
