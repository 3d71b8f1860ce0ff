import type * as pulumi from "@pulumi/pulumi";
import { callApi, collect, outputOf } from "./call";
import { vpc } from "../resources/vpc";
import { vpcFromWire, type VpcResult } from "./vpc-result";

/** Arguments of getVpcs. */
export interface GetVpcsArgs {
  /** Default: `cloudinfra:projectId`. */
  readonly projectId?: string | undefined;
}

/** Arguments of getVpcsOutput. */
export interface GetVpcsOutputArgs {
  /** Default: `cloudinfra:projectId`. */
  readonly projectId?: pulumi.Input<string | undefined>;
}

/** The VPCs of one project. Rejects if no project is given or configured, or if the key lacks `vpc:read`. */
export function getVpcs({ projectId }: GetVpcsArgs = {}, options?: pulumi.InvokeOptions): Promise<VpcResult[]> {
  return callApi({
    what: "getVpcs",
    args: { projectId },
    options,
    isList: true,
    task: ({ objectsOf, configured, call }) =>
      collect(objectsOf(vpc, { projectId: projectId ?? configured("projectId") }).list(call), vpcFromWire),
  });
}

/** The VPCs of one project, as an output. */
export function getVpcsOutput(
  args: GetVpcsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<VpcResult[]> {
  return outputOf(args, options, getVpcs);
}
