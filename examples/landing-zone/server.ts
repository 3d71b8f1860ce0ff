import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { allowIngress, type IngressRules } from "./ingress";
import type { Network } from "./network";

/** Another image replaces every server: change it in a pull request of its own. */
const IMAGE = "ubuntu-noble-2026-05-18";

export interface ServerArgs {
  readonly network: Network;
  readonly instanceType: pulumi.Input<string>;
  readonly sshPublicKey: pulumi.Input<string>;
  /** True if it has an address on the internet. Default: false. */
  readonly isPublic?: boolean;
  /** The traffic that may reach this server, besides the traffic to its whole network. Default: none. */
  readonly ingress?: IngressRules;
  /** The sizes of its data disks in GB, by their names. A disk outlives a replacement of the VM. Default: none. */
  readonly disksGb?: Readonly<Record<string, pulumi.Input<number>>>;
}

/** A VM with its data disks, and the rules that let traffic in to this VM alone. */
export class Server extends pulumi.ComponentResource {
  /** Its address in the network, as a CIDR. */
  readonly cidr: pulumi.Output<string>;
  /** Its address on the internet, if it has one. */
  readonly publicIp: pulumi.Output<string | undefined>;

  constructor(name: string, args: ServerArgs, options?: pulumi.ComponentResourceOptions) {
    super("landing-zone:server:Server", name, {}, options);
    const { projectId, subnetId, vpcId } = args.network;
    const vm = new cloudinfra.Vm(
      name,
      {
        projectId,
        subnetId,
        instanceType: args.instanceType,
        osImageName: IMAGE,
        sshKey: { publicKey: args.sshPublicKey },
        bootVolume: { size: 64, type: "abs" },
        publicIpEnabled: args.isPublic ?? false,
      },
      { parent: this },
    );
    for (const [disk, size] of Object.entries(args.disksGb ?? {})) {
      new cloudinfra.Volume(`${name}-${disk}`, { projectId, size, type: "abs", vmId: vm.id }, { parent: this });
    }
    this.cidr = pulumi.interpolate`${vm.privateIp}/32`;
    this.publicIp = vm.publicIp;

    allowIngress(this, name, args.ingress ?? {}, { vpcId, cidr: this.cidr });
    this.registerOutputs({ cidr: this.cidr, publicIp: this.publicIp });
  }
}
