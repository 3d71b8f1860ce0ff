import { createRequire } from "node:module";

let ofPulumi: NodeJS.Require | undefined;

/**
 * Loads the same copy of a module that Pulumi's SDK uses: a second copy of gRPC or of the messages would not work with
 * the SDK. Resolved at the first call, which most processes never make.
 */
export function pulumiRequire(id: string): unknown {
  ofPulumi ??= createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  return ofPulumi(id);
}
