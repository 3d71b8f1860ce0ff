import type { Shown } from "../definition/definition";
import type { Listable } from "../definition/schemas";
import { fromWire } from "../definition/wire";
import { vpc } from "../resources/vpc";

/** A VPC and its one subnet: the outputs of a `Vpc`, whose `subnetName` is `subnet.name` here. */
export interface VpcResult extends Omit<Shown<typeof vpc>, "subnetName"> {
  /** Use it as `vpcId` of a FirewallRule. */
  readonly id: string;
}

/** A VPC as programs see it. */
export function vpcFromWire(wire: Listable): VpcResult {
  const shown = fromWire(vpc, wire);
  delete shown["subnetName"];
  return { id: wire.id, ...shown } as VpcResult;
}
