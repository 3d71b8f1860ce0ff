import { createRequire } from "node:module";

let ofPulumi: NodeJS.Require | undefined;

/**
 * Loads a module as Pulumi's SDK would: a second copy of gRPC or of the messages does not fit the SDK's own. Resolved at the first
 * call, because most processes make none.
 */
export function pulumiRequire(id: string): unknown {
  ofPulumi ??= createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  return ofPulumi(id);
}
