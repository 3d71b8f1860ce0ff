import { createRequire } from "node:module";

/** Loads a module as Pulumi's SDK would: a second copy of gRPC or of the messages does not fit the SDK's own. */
export const pulumiRequire: NodeJS.Require = createRequire(
  createRequire(__filename).resolve("@pulumi/pulumi/package.json"),
);
