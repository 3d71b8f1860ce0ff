import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

const found = new Set<string>();

/**
 * Makes sure that the engine's plugin will find the package. It looks in the folder in which the program runs, and not beside
 * the file that imports the package: one that only a library of the program depends on is out of its sight. Throws
 * pulumi.RunError, which ends the program with the sentence alone.
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
