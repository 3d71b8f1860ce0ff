import { renameSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

/**
 * Puts a secret into a file that only its owner may read. The file changes in one step, so that nobody reads half a key,
 * and it changes in the update itself: before the update deletes the key that was there.
 */
export function keyFile(path: string, secret: pulumi.Output<string | undefined>): pulumi.Output<string> {
  return secret.apply((value) => {
    // Only a key that was read, or adopted without its secret, has none.
    if (value !== undefined && !pulumi.runtime.isDryRun()) {
      const next = `${path}.new`;
      writeFileSync(next, value, { mode: 0o600 });
      renameSync(next, path);
    }
    return path;
  });
}
