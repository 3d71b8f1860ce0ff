import * as pulumi from "@pulumi/pulumi";
import type { FirewallRule as Wire, FirewallRuleCreateRequest } from "../api/firewall-rules";
import type { Cost } from "../cost/cost";
import { replace, sameSet, update } from "../dynamic/change-policy";
import { defineKind, type Plain } from "../dynamic/kind";
import { CloudResource, type AdoptArgs } from "../dynamic/resource";
import { required, type InputsOf } from "./inputs";

/** Arguments of a FirewallRule (specification, section 2.8). */
export interface FirewallRuleArgs extends AdoptArgs {
  /** The VPC that the rule belongs to. Changing it replaces the rule. */
  readonly vpcId: pulumi.Input<string>;
  /** `tcp` or `udp`. Changed in place. */
  readonly protocol: pulumi.Input<"tcp" | "udp">;
  /** The source as a canonical, network-aligned CIDR; 0.0.0.0 only with mask 0. Changed in place. */
  readonly sourceAddress: pulumi.Input<string>;
  /** The destination as a canonical CIDR: the VPC's own, or one VM's (/32) inside it. Changed in place. */
  readonly destinationAddress: pulumi.Input<string>;
  /** Destination ports as strings, such as `"443"`. Their order does not matter. Changed in place. */
  readonly destinationPorts: pulumi.Input<pulumi.Input<string>[]>;
  /** At most 50; their order does not matter. Changed in place; left out, they are cleared. */
  readonly tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Default: the logical name with seven hex characters behind it. Changed in place. */
  readonly name?: pulumi.Input<string>;
}

/** A firewall rule of a VPC. */
export class FirewallRule extends CloudResource {
  declare readonly vpcId: pulumi.Output<string>;
  declare readonly protocol: pulumi.Output<"tcp" | "udp">;
  declare readonly sourceAddress: pulumi.Output<string>;
  declare readonly destinationAddress: pulumi.Output<string>;
  declare readonly destinationPorts: pulumi.Output<string[]>;
  declare readonly tags: pulumi.Output<string[]>;
  declare readonly name: pulumi.Output<string>;
  /** `pending`, `creating`, `updating`, `ready`, `deleting`, `deleted` or `error`. */
  declare readonly status: pulumi.Output<string>;
  /** ISO 8601, UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** ISO 8601, UTC. */
  declare readonly updatedAt: pulumi.Output<string>;
  /** What the rule costs a month; undefined where that is not known. Known in preview. */
  declare readonly cost: pulumi.Output<Cost | undefined>;

  constructor(name: string, args: FirewallRuleArgs, options?: pulumi.CustomResourceOptions) {
    super(firewallRule, name, args, options);
  }

  /** An existing rule, read and never managed. `id` may be the rule's own, with `vpcId`, or `<vpcId>/<firewallRuleId>`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<FirewallRuleArgs>,
    options?: pulumi.CustomResourceOptions,
  ): FirewallRule {
    // Split here: the engine makes the id that it is given the resource's own.
    const parts = pulumi.output(id).apply((text) => parseRuleId(text));
    const vpcId = parts.apply((found) => found.inputs.vpcId ?? state?.vpcId ?? "");
    return new FirewallRule(name, { ...state, vpcId } as FirewallRuleArgs, { ...options, id: parts.id });
  }
}

type Inputs = InputsOf<FirewallRuleArgs>;

/** `<vpcId>/<firewallRuleId>`, or the rule's id alone. */
function parseRuleId(text: string): { readonly id: string; readonly inputs: { readonly vpcId?: string } } {
  const [vpcId, id] = text.split("/");
  return vpcId !== undefined && id !== undefined ? { id, inputs: { vpcId } } : { id: text, inputs: {} };
}

/** What the lifecycle has to know about firewall rules. */
export const firewallRule = defineKind<Inputs, Wire, Plain<FirewallRuleCreateRequest>>({
  type: "FirewallRule",
  noun: "firewall rule",

  fields: (schema) => ({
    vpcId: schema.text(),
    protocol: schema.oneOf("tcp", "udp"),
    sourceAddress: schema.cidr(),
    destinationAddress: schema.cidr(),
    destinationPorts: schema.list(schema.text()),
    tags: schema.tags(),
    name: schema.text(),
  }),

  rules: ({ sourceAddress }) =>
    sourceAddress !== undefined && /^0\.0\.0\.0\/(?!0$)/.test(sourceAddress)
      ? [{ severity: "failure", field: "sourceAddress", reason: "0.0.0.0 is allowed with mask 0 only: 0.0.0.0/0" }]
      : [],

  policies: {
    vpcId: replace({ priced: true }),
    protocol: update({ placeholder: () => "tcp" }),
    sourceAddress: update({ placeholder: () => "0.0.0.0/0" }),
    destinationAddress: update({ placeholder: () => "10.0.0.0/25" }),
    destinationPorts: update({ same: sameSet, placeholder: () => ["443"] }),
    tags: update({ same: sameSet, placeholder: () => [] }),
    name: update({ placeholder: () => "quote" }),
  },
  // What the API shows for none: so inputs made from what it shows are no other ones.
  defaults: () => ({ tags: [] }),
  computed: ["status", "createdAt", "updatedAt"],
  secretOutputs: [],

  place: ["vpcId"],
  parseId: parseRuleId,

  toWire: ({ name, protocol, sourceAddress, destinationAddress, destinationPorts, tags }) => ({
    name,
    protocol,
    source_address: sourceAddress,
    destination_address: destinationAddress,
    destination_ports: destinationPorts,
    tags: tags ?? [],
  }),

  fromWire: (wire) => ({
    vpcId: wire.vpc_id,
    protocol: wire.protocol,
    sourceAddress: wire.source_address,
    destinationAddress: wire.destination_address,
    destinationPorts: wire.destination_ports,
    tags: wire.tags,
    name: wire.name,
    status: wire.status,
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  }),

  handler: ({ firewallRules }) => ({
    create: ({ vpcId }, body, call) => firewallRules.create(vpcId, body, call),
    get: (id, { vpcId }, call) => firewallRules.get(required(vpcId, "vpcId", id), id, call),
    read: (id, { vpcId }, call) => firewallRules.read(required(vpcId, "vpcId", id), id, call),
    update: (id, { vpcId }, body, call) => firewallRules.update(vpcId, id, body, call),
    delete: (id, { vpcId }, call) => firewallRules.delete(required(vpcId, "vpcId", id), id, call),
    list: ({ vpcId }, call) => firewallRules.list(vpcId, call),
    quoteCreate: ({ vpcId }, body, call) => firewallRules.quoteCreate(vpcId, body, call),
    quoteUpdate: (id, { vpcId }, body, call) => firewallRules.quoteUpdate(vpcId, id, body, call),
  }),
});
