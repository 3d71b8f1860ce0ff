import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../../docs/support/markdown";

/** Generates the SDK as `npm run sdk` does; its folder. */
export async function generateSdk(language: string, folder: string): Promise<string> {
  await promisify(execFile)(process.execPath, [join(ROOT, "tools", "sdk", "sdk.mjs"), "--out", folder, language]);
  return join(folder, language);
}
