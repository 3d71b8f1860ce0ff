import { ids } from "../api/support/samples";
import { nth, tagLimits, times, type KindDescriptor } from "./descriptor";
import { storage } from "./volume";

/** The subnet of the VPC that every simulator has from the start. */
const SUBNET_ID = "00000000-0000-4000-8000-000000000004";
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== me@example.com";

const PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----";
const notAPublicKey = (given: string): string =>
  `sshKey.publicKey: must be a public key such as "ssh-ed25519 AAAA… you@example.com" (is ${given}): give the content of the .pub file`;

const images = "getOsImages lists them. The API does not show it";
const openSsh = "as OpenSSH writes it. The API does not show it";

export const vm: KindDescriptor = {
  name: "web",
  args: () => ({
    subnetId: SUBNET_ID,
    instanceType: "n1-standard-2",
    osImageName: "ubuntu-noble-2025-10-01",
    sshKey: { publicKey },
    bootVolume: { size: 64, type: storage },
  }),
  others: { restartTrigger: "first", dataVolumes: [{ name: "data", size: 10, type: storage }] },
  lists: { restartTrigger: "first" },
  edited: ({ fields, replace }) => ({
    instanceType: nth(["n1-standard-2", "n1-standard-4"], fields),
    publicIpEnabled: fields % 2 === 1,
    bootVolume: { size: 64 + fields, type: nth([storage, "nvme"], replace) },
    dataVolumes: [{ name: "data", size: 10 + fields, type: storage }],
    osImageName: nth(["ubuntu-noble-2025-10-01", "debian-trixie-2026-01-12"], replace),
  }),
  changes: {
    bootVolume: { to: { size: 80, type: storage } },
    dataVolumes: { from: [{ name: "data", size: 10, type: storage }], to: [{ name: "data", size: 20, type: storage }] },
    restartTrigger: { from: "first", to: "second" },
  },
  collection: "vms",
  wire: {
    id: "123e4567-e89b-12d3-a456-426614174010",
    name: "my-vm",
    project_id: ids.project,
    region: "us-sva-2",
    status: "ready",
    instance_type: "n1-standard-2",
    boot_volume_id: "123e4567-e89b-12d3-a456-426614174011",
    data_volume_ids: [],
    cpu_config: { vcpu: 2 },
    memory_config: { size: 8 },
    subnet_id: SUBNET_ID,
    vpc_id: "123e4567-e89b-12d3-a456-426614174001",
    vpc_name: "my-vpc",
    private_ip: "10.0.0.4",
    public_ip: null,
    public_ip_enabled: false,
    tags: [],
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  },
  creation: ({ projectId, region }) => ({
    name: "sample",
    project_id: projectId,
    region,
    subnet_id: SUBNET_ID,
    instance_type: "n1-standard-2",
    os_image_name: "ubuntu-noble-2025-10-01",
    ssh_key: { public_key: publicKey },
    boot_volume: { size: 64, type: storage, tags: [] },
    public_ip_enabled: false,
    tags: [],
  }),
  inputDrifts: {
    projectId: { wire: { project_id: "another-project" }, shown: "another-project" },
    region: { wire: { region: "us-wdc-1" }, shown: "us-wdc-1" },
    subnetId: { wire: { subnet_id: "another-subnet" }, shown: "another-subnet" },
    instanceType: {
      wire: { instance_type: "n1-standard-4" },
      shown: "n1-standard-4",
      follows: { cpuConfig: { vcpu: 4 }, memoryConfig: { size: 16 } },
    },
    osImageName: "not at the API",
    sshKey: "not at the API",
    bootVolume: "at an endpoint of its own",
    dataVolumes: "at an endpoint of its own",
    publicIpEnabled: { wire: { public_ip_enabled: true }, shown: true },
    restartTrigger: "not at the API",
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: {
    bootVolumeId: "follows from the objects around it",
    dataVolumeIds: "follows from the objects around it",
    cpuConfig: "follows from the objects around it",
    memoryConfig: "follows from the objects around it",
    privateIp: { wire: { private_ip: "10.0.0.77" }, shown: "10.0.0.77" },
    publicIp: { wire: { public_ip: "203.0.113.7" }, shown: "203.0.113.7" },
    vpcId: "follows from the objects around it",
    vpcName: "follows from the objects around it",
    status: { wire: { status: "error" }, shown: "error" },
    ...times,
  },
  limits: [
    [{}, undefined],
    [{ subnetId: undefined }, "subnetId: is required"],
    [{ instanceType: undefined }, "instanceType: is required"],
    [{ osImageName: 7 }, 'osImageName: must be a string (is the number 7): write "7"'],
    [{ osImageName: "" }, `osImageName: is empty: write the name of the image that the VM is made of. ${images}`],
    [
      { sshKey: { publicKey: " " } },
      `sshKey.publicKey: is empty: write the SSH key that the VM is made with, ${openSsh}`,
    ],
    [
      { sshKey: publicKey },
      'sshKey: must be an object with publicKey (is "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== me@example.com")',
    ],
    [{ sshKey: { publicKey: `  ${publicKey}  ` } }, undefined],
    [{ sshKey: { publicKey: "~/.ssh/id_ed25519.pub" } }, notAPublicKey('"~/.ssh/id_ed25519.pub"')],
    [{ sshKey: { publicKey: PRIVATE_KEY } }, notAPublicKey("a private key")],
    [{ sshKey: PRIVATE_KEY }, "sshKey: must be an object with publicKey (is a private key)"],
    [{ sshKey: {} }, "sshKey.publicKey: is required"],
    [{ bootVolume: undefined }, "bootVolume: is required"],
    [{ bootVolume: { size: 0, type: storage } }, "bootVolume.size: must be at least 1 (is 0)"],
    [{ bootVolume: { size: 64, type: "ssd" } }, `bootVolume.type: must be one of nvme, ${storage} (is "ssd")`],
    [{ dataVolumes: [{ size: 10, type: storage }] }, "dataVolumes[0].name: is required"],
    [
      {
        dataVolumes: [
          { name: "a", size: 10, type: storage },
          { name: "a", size: 20, type: storage },
        ],
      },
      "dataVolumes[1].name: has the name of dataVolumes[0]: give each another",
    ],
    [{ publicIpEnabled: "yes" }, 'publicIpEnabled: must be true or false (is "yes")'],
    ...tagLimits,
  ],
};
