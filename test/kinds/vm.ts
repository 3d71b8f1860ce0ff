import { type KindDescriptor, nth } from "./descriptor";
import { otherStorage, storage } from "./volume";

/** The subnet of the VPC that every simulator has from the start. */
const SUBNET_ID = "00000000-0000-4000-8000-000000000004";
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== me@example.com";

const PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----";
const notAPublicKey = (given: string): string =>
  `sshKey.publicKey: must be a public key such as "ssh-ed25519 AAAA… you@example.com" (is ${given}): give the content of the .pub file`;

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
    bootVolume: { size: 64 + fields, type: nth([storage, otherStorage], replace) },
    dataVolumes: ["data", "more"].map((name) => ({ name, size: 10 + fields, type: storage })),
    osImageName: nth(["ubuntu-noble-2025-10-01", "debian-trixie-2026-01-12"], replace),
  }),
  changes: {
    bootVolume: { to: { size: 80, type: storage } },
    dataVolumes: { from: [{ name: "data", size: 10, type: storage }], to: [{ name: "data", size: 20, type: storage }] },
    restartTrigger: { from: "first", to: "second" },
  },
  drifts: {
    instanceType: {
      ...{ wire: { instance_type: "n1-standard-4" }, shown: "n1-standard-4" },
      follows: { cpuConfig: { vcpu: 4 }, memoryConfig: { size: 16 } },
    },
    vpcId: "follows from the objects around it",
    bootVolumeId: "follows from the objects around it",
  },
  limits: [
    [{ sshKey: { publicKey: `  ${publicKey}  ` } }, undefined],
    [{ sshKey: { publicKey: "~/.ssh/id_ed25519.pub" } }, notAPublicKey('"~/.ssh/id_ed25519.pub"')],
    [{ sshKey: { publicKey: PRIVATE_KEY } }, notAPublicKey("a private key")],
    [{ sshKey: { publicKey: "ssh-rsa oops" } }, notAPublicKey('"ssh-rsa oops"')],
    [{ sshKey: PRIVATE_KEY }, "sshKey: must be an object with publicKey (is a private key)"],
    [
      {
        dataVolumes: [
          { name: "a", size: 10, type: storage },
          { name: "a", size: 20, type: storage },
        ],
      },
      "dataVolumes[1].name: has the same name as dataVolumes[0]: give each a different one",
    ],
  ],
};
