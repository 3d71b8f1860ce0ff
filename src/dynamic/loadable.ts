import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

const found = new Set<string>();

/**
 * Checks that the engine's plugin will find the package. The plugin looks in the folder of the program, not beside the file
 * that imports the package. So it does not find a package that only a library of the program depends on. Throws
 * pulumi.RunError, which ends the program with one sentence.
 */
export function requireLoadable(packageName: string): void {
  const folders = [process.cwd(), pulumi.getRootDirectory()];
  if (folders.some((folder) => isLoadableFrom(folder, packageName))) return;
  throw new pulumi.RunError(
    `Pulumi does not find ${packageName} in the folder ${folders[0] ?? ""}. The project itself must depend on it, ` +
      `even if only a library of the project uses it. ` +
      `Run "npm install ${packageName}" (or "pnpm add ${packageName}") in that folder.`,
  );
}

function isLoadableFrom(folder: string, packageName: string): boolean {
  if (found.has(folder)) return true;
  try {
    createRequire(join(folder, "index.js")).resolve(`${packageName}/package.json`);
    found.add(folder);
    return true;
  } catch {
    return false; // whatever is wrong with it there, it cannot be loaded from there
  }
}
