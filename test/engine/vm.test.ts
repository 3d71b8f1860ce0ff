import { failed } from "./support/output";
import { program, basicsOf } from "./support/programs";
import { Session } from "./support/session";
import { storage } from "../kinds/volume";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ==";
const args = {
  instanceType: "n1-standard-2",
  osImageName: "ubuntu-noble-2025-10-01",
  sshKey: { publicKey: `${key} me@one.example` },
  bootVolume: { size: 64 },
  dataVolumes: [{ name: "data", size: 10 }],
};
/** All arguments except the subnet. */
const vmOf = (changes: object): object => ({ ...basicsOf("Vm", { ...args, ...changes }), subnetId: undefined });
const vmProgram = (changes: object = {}): string =>
  program(
    `const net = new cloudinfra.Vpc("net", {});`,
    `const web = new cloudinfra.Vm("web", { subnetId: net.subnet.id, ...${JSON.stringify(vmOf(changes))} });`,
  );

/** The API's data about the VM's volumes. */
async function volumesOf({ api }: Session): Promise<readonly unknown[]> {
  const held = await api.call("GET", `/v1/compute/volumes?project_id=${api.simulator.projectId}`);
  return held["items"] as unknown[];
}

it("a VM is created, grown, refreshed, replaced, adopted and deleted", async () => {
  const session = await Session.start(vmProgram());
  const first = await session.stack.preview();
  expect(first.stdout).toMatch(/web.*\+\$[\d.]+\/mo/);
  await session.up();
  const { id, outputs } = session.one("web");
  expect(outputs).toMatchObject({
    publicIpEnabled: false,
    cpuConfig: { vcpu: 2 },
    privateIp: expect.any(String) as string,
  });

  // The key with another comment is the same key. Neither it nor the image is ever a difference.
  session.stack.write(vmProgram({ sshKey: { publicKey: `  ${key}   me@another.example` } }));
  const quiet = await session.api.during(() => session.up());
  expect(quiet.requests).toEqual([]);
  await session.refresh();
  expect((await session.api.during(() => session.up())).requests).toEqual([]);

  const grown = {
    instanceType: "n1-standard-4",
    publicIpEnabled: true,
    bootVolume: { size: 100 },
    dataVolumes: [{ name: "data", size: 30 }],
    restartTrigger: "first",
  };
  session.stack.write(vmProgram(grown));
  const preview = await session.stack.preview();
  expect(preview.stdout).toMatch(/\$[\d.]+\/mo → \$[\d.]+\/mo \(\+\$[\d.]+\/mo\)/);
  const changed = await session.api.during(() => session.up());
  expect(changed.requests.filter((request) => !request.startsWith("GET"))).toEqual([
    "POST vms/cost",
    "PATCH vms/:id",
    "PATCH volumes/:id",
    "PATCH volumes/:id",
    "POST vms/:id/restart",
  ]);
  expect(session.one("web")).toMatchObject({
    id,
    outputs: { bootVolume: { size: 100 }, publicIp: expect.any(String) as string },
  });
  expect(await volumesOf(session)).toMatchObject([{ size: 100 }, { size: 30, name: "data" }]);
  expect((await session.api.during(() => session.up())).requests).toEqual([]);

  // Other data volumes are refused, with advice.
  session.stack.write(vmProgram({ ...grown, dataVolumes: [] }));
  const refused = failed(await session.stack.preview());
  expect(refused).toContain(`"data" cannot be taken away: the API makes these with the VM only. Use a Volume`);

  // Somebody grows the boot volume: a refresh shows it.
  await session.api.call("PATCH", `/v1/compute/volumes/${String(outputs["bootVolumeId"])}`, { size: 120 });
  await session.refresh();
  expect(session.one("web").outputs).toMatchObject({ bootVolume: { size: 120, type: storage } });

  session.stack.write(vmProgram({ ...grown, bootVolume: { size: 120 }, osImageName: "debian-trixie-2026-01-12" }));
  await session.up();
  const replaced = session.one("web").id;
  expect(replaced).not.toBe(id);

  // The state forgets the VM, and the stack adopts it again.
  await session.stack.pulumi(["state", "delete", session.one("web").urn, "--yes"]);
  session.stack.write(vmProgram({ ...grown, bootVolume: { size: 120 }, adopt: replaced }));
  await session.up();
  expect(session.one("web").id).toBe(replaced);
  await session.destroy();
  expect(session.kept()).toEqual([]);
  expect(await volumesOf(session)).toEqual([]);
});
