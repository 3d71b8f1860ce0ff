import { renameSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

/**
 * Puts a secret into a file that only its owner may read. The file changes in one step, so that no client reads an incomplete key. It
 * changes during the update, before the update deletes the old key.
 */
export function keyFile(path: string, secret: pulumi.Output<string | undefined>): pulumi.Output<string> {
  return secret.apply((value) => {
    // A key has no value if it was read, or adopted without its secret.
    if (value !== undefined && !pulumi.runtime.isDryRun()) {
      const next = `${path}.new`;
      writeFileSync(next, value, { mode: 0o600 });
      renameSync(next, path);
    }
    return path;
  });
}
