import { makeByHand } from "./support/by-hand";
import { counts, partsOf, rowOf, succeeded } from "./support/output";
import { declare, program, VPC_ID } from "./support/programs";
import { Session } from "./support/session";
import type { SimulatedApi } from "./support/simulated-api";

type ByHand = Awaited<ReturnType<typeof makeByHand>>;

const tags = ["by-hand"];

function adopting(objects: ByHand, link: object = {}): string {
  return program(
    declare("ApiKey", "known", { adopt: objects.keyWithSecret, tags }),
    declare("ApiKey", "silent", { adopt: objects.key, tags }),
    declare("ConnectConnection", "link", { adopt: objects.link, tags, ...link }),
    declare("FirewallRule", "https", { adopt: `${VPC_ID}/${objects.rule}`, tags }),
    `exports.known = known.key; exports.silent = silent.key;`,
  );
}

let session: Session;
let objects: ByHand;

beforeAll(async () => {
  session = await Session.start(program());
  objects = await makeByHand(session.api);
});

describe("when existing objects are adopted", () => {
  let held: Awaited<ReturnType<SimulatedApi["held"]>>;
  let preview: string;
  let up: { output: string; requests: string[] };

  beforeAll(async () => {
    held = await session.api.held();
    session.stack.write(adopting(objects));
    preview = succeeded(await session.stack.preview());
    const run = await session.api.during(() => session.up());
    up = { output: succeeded(run.result), requests: run.requests };
  });

  it.each(["known", "silent", "link", "https"])(
    "the preview's row of %s says that it adopts and changes nothing",
    (name) => {
      const id = { known: objects.keyWithSecret.id, silent: objects.key, link: objects.link, https: objects.rule }[
        name
      ];
      expect(rowOf(preview, name)).toMatch(
        new RegExp(`adopts ${String(id)}, changes nothing(; \\$\\d+\\.\\d\\d/mo as before)?$`),
      );
    },
  );

  it("the update changes nothing at the API, and the state has the objects", async () => {
    expect(up.requests.filter((request) => !/^GET|\/(cost|availability)$/.test(request))).toEqual([]);
    expect(await session.api.held()).toEqual(held);
    await session.expectAgreement();
    expect(session.one("link").outputs).toMatchObject({ name: "by-hand-link", status: "ready" });
  });

  it("a key that is adopted without its secret warns, and has no key", () => {
    expect(rowOf(up.output, "silent")).toMatch(/warning: .*was adopted without its secret/);
    expect(session.one("silent").outputs).not.toHaveProperty("key");
    expect(rowOf(up.output, "known")).not.toContain("warning");
  });

  it("a key that is adopted with its secret has it as an encrypted output", () => {
    expect(up.output).toMatch(/known *: \[secret\]/);
    expect(session.one("known").outputs["key"]).toHaveProperty("ciphertext");
    expect(session.shownOutputs()["known"]).toBe(objects.keyWithSecret.key);
  });

  it("the secret stands plain neither in the state nor on the screen", () => {
    const files = Object.entries(session.stack.files()).filter(([path]) => !path.endsWith("index.js"));
    expect(files.filter(([, text]) => text.includes(objects.keyWithSecret.key)).map(([path]) => path)).toEqual([]);
    expect(preview + up.output).not.toContain(objects.keyWithSecret.key);
  });

  it("the next run shows no change and calls the API not once, though the program still says adopt", async () => {
    const { result, requests } = await session.api.during(() => session.stack.up());
    expect(counts(partsOf(succeeded(result)).preview)).toEqual(["5 unchanged"]);
    expect(requests).toEqual([]);
  });

  it("that run takes adopt out, and the one after it has nothing to do", async () => {
    const { result, requests } = await session.api.during(() => session.up());
    expect(counts(succeeded(result))).toContain("5 unchanged");
    expect(requests).toEqual([]);
    expect(await session.api.held()).toEqual(held);
  });

  it("a later replacement makes a new object, although the program still says adopt", async () => {
    session.stack.write(adopting(objects, { bandwidthMbps: 200 }));
    const { result, requests } = await session.api.during(() => session.stack.up());
    expect(rowOf(partsOf(succeeded(result)).preview, "link")).toContain("$78.13/mo → $312.50/mo");
    expect(requests.filter((request) => /^(POST|DELETE) connections(\/:id)?$/.test(request))).toEqual([
      "POST connections",
      "DELETE connections/:id",
    ]);
    expect(session.one("link").id).not.toBe(objects.link);
    await session.expectAgreement();
  });

  it("the program may then stop saying adopt without a change", async () => {
    session.stack.write(
      program(
        declare("ApiKey", "known", { tags }),
        declare("ApiKey", "silent", { tags }),
        declare("ConnectConnection", "link", { tags, bandwidthMbps: 200 }),
        declare("FirewallRule", "https", { tags }),
      ),
    );
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(result))).toEqual(["5 unchanged"]);
    expect(requests).toEqual([]);
  });
});

describe("when what one resource manages is adopted by another in the same run", () => {
  it("the object goes over, and the run does not delete what it has adopted", async () => {
    const held = await session.api.held();
    const { id } = session.one("link");
    session.stack.write(
      program(
        declare("ApiKey", "known", { tags }),
        declare("ApiKey", "silent", { tags }),
        declare("ConnectConnection", "moved", { tags, bandwidthMbps: 200, adopt: id }),
        declare("FirewallRule", "https", { tags }),
      ),
    );
    const output = succeeded(await session.up());
    expect(rowOf(output, "link")).toContain(`connect connection ${id} stays`);
    expect(session.one("moved").id).toBe(id);
    expect(await session.api.held()).toEqual(held);
    await session.expectAgreement();
  });

  it("a managed resource that is told to adopt another object takes it over, and its own goes", async () => {
    const replaced = session.one("https").id;
    const other = await makeByHand(session.api);
    session.stack.write(
      program(
        declare("ApiKey", "known", { tags }),
        declare("ApiKey", "silent", { tags }),
        declare("ConnectConnection", "moved", { tags, bandwidthMbps: 200 }),
        declare("FirewallRule", "https", { tags, adopt: `${VPC_ID}/${other.rule}` }),
      ),
    );
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => !/^GET|\/(cost|availability)$/.test(request))).toEqual([
      "DELETE firewall_rules/:id",
    ]);
    expect((await session.api.held()).firewallRules.map(({ id }) => id)).toEqual([other.rule]);
    expect(session.one("https").id).toBe(other.rule);
    expect(session.one("https").id).not.toBe(replaced);
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["5 unchanged"]);
  });
});

describe("when an object that is adopted differs from the program", () => {
  let session: Session;
  let rule: string;
  let preview: string;
  beforeAll(async () => {
    session = await Session.start(program());
    ({ rule } = await makeByHand(session.api));
    session.stack.write(
      program(
        declare("FirewallRule", "web", {
          adopt: `${VPC_ID}/${rule}`,
          destinationPorts: ["80"],
          protocol: "udp",
          tags: [],
        }),
        `new cloudinfra.CostSummary("cost");`,
      ),
    );
    preview = succeeded(await session.stack.preview(["--diff"]));
  });

  it("the preview lists each difference, with --diff too, and changes nothing", async () => {
    const text = `adopts ${rule}; then changes protocol: tcp → udp, destinationPorts: 443 → 80, tags: by-hand → none`;
    expect(preview).toContain(text);
    expect((await session.api.held()).firewallRules[0]).toMatchObject({ id: rule, destination_ports: ["443"] });
  });

  it("the update makes them by one PATCH, and leaves nothing to do", async () => {
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => !/^GET|\/(cost|availability)$/.test(request))).toEqual([
      "PATCH firewall_rules/:id",
    ]);
    expect((await session.api.held()).firewallRules).toEqual([
      expect.objectContaining({ id: rule, destination_ports: ["80"], protocol: "udp", tags: [] }),
    ]);
    expect(session.one("web").id).toBe(rule);
    const next = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(next.result))).toEqual(["3 unchanged"]);
    expect(next.requests).toEqual([]);
  });
});
