import type * as pulumi from "@pulumi/pulumi";
import { callApi, collect, outputOf } from "./call";
import { LookupError } from "./lookup-error";
import { vpcFromWire, type VpcResult } from "./vpc-result";

/** Arguments of getVpc: an id, or a name and the project it is looked for in. */
export type GetVpcArgs =
  | { readonly id: string; readonly name?: undefined; readonly projectId?: undefined }
  | {
      readonly id?: undefined;
      /** The whole name, in the case it is written in. */
      readonly name: string;
      /** Default: `cloudinfra:projectId`. */
      readonly projectId?: string | undefined;
    };

/** Arguments of getVpcOutput: `id`, or `name` and the project it is looked for in. */
export interface GetVpcOutputArgs {
  readonly id?: pulumi.Input<string | undefined>;
  /** The whole name, in the case it is written in. */
  readonly name?: pulumi.Input<string | undefined>;
  /** With `name`. Default: `cloudinfra:projectId`. */
  readonly projectId?: pulumi.Input<string | undefined>;
}

/** One VPC, by id or by name. Rejects where there is none, and where several have the name. */
export function getVpc(args: GetVpcArgs): Promise<VpcResult> {
  return lookUp(args);
}

/** One VPC, by id or by name, as an output. */
export function getVpcOutput(args: GetVpcOutputArgs): pulumi.Output<VpcResult> {
  return outputOf(args, lookUp);
}

interface Sought {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly projectId?: string | undefined;
}

function lookUp({ id, name, projectId }: Sought): Promise<VpcResult> {
  return callApi("getVpc", async ({ api, configured, call }) => {
    if (id !== undefined && name === undefined && projectId === undefined) {
      return vpcFromWire(await api.vpcs.get(id, { ...call, what: `getVpc "${id}"` }));
    }
    if (id !== undefined || name === undefined) {
      throw new LookupError('getVpc takes either "id", or "name" with or without "projectId".');
    }
    const project = projectId ?? configured("projectId");
    const all = await collect(api.vpcs.list(project, { ...call, what: `getVpc "${name}"` }), vpcFromWire);
    return theOneNamed(name, project, all);
  });
}

function theOneNamed(name: string, projectId: string, all: readonly VpcResult[]): VpcResult {
  const named = all.filter((vpc) => vpc.name === name);
  const [vpc] = named;
  if (vpc !== undefined && named.length === 1) return vpc;
  if (vpc !== undefined) {
    const ids = named.map(({ id }) => id).join(", ");
    throw new LookupError(`${named.length} VPCs of the project ${projectId} are named "${name}". Give an id: ${ids}.`);
  }
  const names = all.map((other) => `"${other.name}"`).join(", ");
  throw new LookupError(
    `No VPC of the project ${projectId} is named "${name}". ${names === "" ? "It has none." : `It has ${names}.`}`,
  );
}
