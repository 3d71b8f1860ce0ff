import type * as pulumi from "@pulumi/pulumi";
import { callApi, collect, outputOf, type Tools } from "./call";
import { clipped } from "../terminal-text";
import { LookupError } from "./lookup-error";
import { vpc } from "../resources/vpc";
import { vpcFromWire, type VpcResult } from "./vpc-result";

/** Arguments of getVpc: an id, or a name and its project. */
export type GetVpcArgs =
  | { readonly id: string; readonly name?: undefined; readonly projectId?: undefined }
  | {
      readonly id?: undefined;
      /** The complete name, in the right case. */
      readonly name: string;
      /** Default: `cloudinfra:projectId`. */
      readonly projectId?: string | undefined;
    };

/** Arguments of getVpcOutput: `id`, or `name` and its project. */
export interface GetVpcOutputArgs {
  readonly id?: pulumi.Input<string | undefined>;
  /** The complete name, in the right case. */
  readonly name?: pulumi.Input<string | undefined>;
  /** With `name`. Default: `cloudinfra:projectId`. */
  readonly projectId?: pulumi.Input<string | undefined>;
}

/** A VPC, by id or by name. Rejects if there is none, or if several have the name. */
export function getVpc(args: GetVpcArgs, options?: pulumi.InvokeOptions): Promise<VpcResult> {
  return lookUp(args, options);
}

/** A VPC, by id or by name, as an output. */
export function getVpcOutput(args: GetVpcOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<VpcResult> {
  return outputOf(args, options, lookUp);
}

interface Sought {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly projectId?: string | undefined;
}

function lookUp({ id, name, projectId }: Sought, options?: pulumi.InvokeOptions): Promise<VpcResult> {
  return callApi({ what: "getVpc", args: { id, name, projectId }, options, task });

  async function task({ objectsOf, configured, call }: Tools): Promise<VpcResult> {
    if (id !== undefined && name === undefined && projectId === undefined) {
      return vpcFromWire(await objectsOf(vpc).get(id, { ...call, what: `getVpc "${id}"` }));
    }
    if (id !== undefined || name === undefined) {
      throw new LookupError('getVpc takes either "id", or "name" with or without "projectId".');
    }
    const project = projectId ?? configured("projectId");
    const all = await collect(
      objectsOf(vpc, { projectId: project }).list({ ...call, what: `getVpc "${name}"` }),
      vpcFromWire,
    );
    return theOneNamed(name, project, all);
  }
}

/** A project may have hundreds of VPCs with names of other people. */
const MOST_NAMES = 20;
const LONGEST_NAME = 100;

function theOneNamed(name: string, projectId: string, all: readonly VpcResult[]): VpcResult {
  const named = all.filter((each) => each.name === name);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;
  if (first !== undefined) {
    const ids = named.map(({ id }) => id).join(", ");
    throw new LookupError(`${named.length} VPCs of the project ${projectId} are named "${name}". Give an id: ${ids}.`);
  }
  const names = all.slice(0, MOST_NAMES).map((other) => `"${clipped(other.name, LONGEST_NAME)}"`);
  if (all.length > MOST_NAMES) names.push(`and ${all.length - MOST_NAMES} others`);
  throw new LookupError(
    `No VPC of the project ${projectId} is named "${name}". ${names.length === 0 ? "It has none." : `It has ${names.join(", ")}.`}`,
  );
}
