import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { interruptedUp, openEntries } from "./support/interruption";
import { counts, failed, succeeded } from "./support/output";
import { basicsOf, inDays } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml, yaml } from "./support/yaml";

const PLUGIN = join(ROOT, "plugin", "pulumi-resource-cloudinfra");
const resources = {
  rule: yaml("FirewallRule", basicsOf("FirewallRule")),
  data: yaml("Volume", basicsOf("Volume", { size: 10 })),
  key: yaml("ApiKey", { permissions: [{ resourceType: "vm", permission: "edit" }], expiresAt: inDays(30) }),
};

describeYaml("one Ctrl-C while creations of a YAML program are under way", () => {
  it("a cancel ends the waiting, and the next up continues", async () => {
    const session = await Session.start({ resources }, { simulator: { operationTime: "1h" } });
    const isMade = async (): Promise<boolean> => (await session.api.heldIds()).length === 3;
    const { code, output } = await interruptedUp(session, isMade, ["SIGINT"]);
    expect(code).not.toBe(0);
    expect(output).toMatch(
      /create volume "data": the run was cancelled after \d+s of waiting\. The API has accepted it/,
    );
    expect(output).not.toMatch(/^\s+at .+/m);
    const made = await session.api.heldIds();
    expect(session.keptIds()).toEqual(made);
    await session.api.advance("2h");
    succeeded(await session.up());
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual(made);
    expect(openEntries(session)).toEqual([]);
  });
});

describeYaml("one Ctrl-C while a change or a deletion is under way", () => {
  it.each([
    [
      "update",
      "PATCH",
      { data: yaml("Volume", basicsOf("Volume", { size: 20 })) },
      "The next run sends the same change again, unless the API has ended it and you run `pulumi refresh` first\\.",
    ],
    ["delete", "DELETE", {}, "Run again: the next run continues from there\\."],
  ])("names the operations in progress after a cancel: %s", async (verb, method, changed, advice) => {
    const session = await Session.startUp({ resources: { data: resources.data, key: resources.key } });
    await session.api.fault({ method, path: "/volumes/", operation: "never", every: 1 });
    session.stack.write({ resources: { key: resources.key, ...changed } });
    const isAccepted = async (): Promise<boolean> => (await session.api.answers())[`${method} 202`] === 1;

    const output = failed(await interruptedUp(session, isAccepted, ["SIGINT"]));

    expect(output).toMatch(
      new RegExp(
        `${verb} volume "data": the run was cancelled after \\d+s of waiting\\. ` +
          `The API has accepted it and goes on with operation [0-9a-f-]{36}\\. ${advice}`,
      ),
    );
    expect(output).not.toMatch(/^\s+at .+/m);
  });
});

describeYaml("one Ctrl-C while requests wait for the rate limit", () => {
  it("sends no creation after a cancel, and the next up makes the objects", async () => {
    const session = await Session.start({ resources });
    await session.api.fault({ method: "POST", path: "(volumes|rules)$", status: 429, headers: { "retry-after": "8" } });
    const isLimited = async (): Promise<boolean> => ((await session.api.answers())["POST 429"] ?? 0) > 0;
    const output = failed(await interruptedUp(session, isLimited, ["SIGINT"]));
    const ids = session.keptIds();
    expect(await session.api.heldIds()).toEqual(ids);
    expect(ids.length).toBeLessThan(3);
    expect(output).toMatch(/was interrupted/);
    expect(output).not.toContain("may have made");
    succeeded(await session.up());
    await session.expectAgreement();
    expect(await session.api.heldIds()).toHaveLength(3);
    expect(counts(succeeded(await session.up()))).toEqual(["4 unchanged"]);
    // The entry of the refused request stays, because later runs look for what it made.
    expect(openEntries(session).filter(({ isSuperseded }) => isSuperseded !== true)).toEqual([]);
  });
});

describeYaml("an attached plugin", () => {
  it("forgets the cancellation in the plugin's next run", async () => {
    const session = await Session.start(
      { resources: { data: resources.data } },
      { simulator: { operationTime: "1h" } },
    );
    const { env, folder } = session.stack;
    const plugin = spawn(PLUGIN, { env, cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [port] = (await once(plugin.stdout, "data")) as [Buffer];
      env["PULUMI_DEBUG_PROVIDERS"] = `cloudinfra:${port.toString().trim()}`;
      const isMade = (): boolean => openEntries(session).some(({ id }) => id !== undefined);
      failed(await interruptedUp(session, isMade, ["SIGINT"]));
      await session.api.advance("2h");
      succeeded(await session.up());
      await session.expectAgreement();
    } finally {
      plugin.kill();
    }
  });
});
