import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { PageOrigin } from "../../cost/renderer";
import { version } from "../../process/version";
import type { CliIo } from "../io";

/** The variables of CI services for the commit. */
const COMMIT_VARIABLES = ["GITHUB_SHA", "CI_COMMIT_SHA", "BITBUCKET_COMMIT", "BUILD_SOURCEVERSION"] as const;
const TIMEOUT_MS = 5_000;

/** The origin of a page: time, version and commit. Never rejects. */
export async function pageOrigin(io: Pick<CliIo, "cwd" | "environment" | "clock">): Promise<PageOrigin> {
  return { madeAt: new Date(io.clock.now()).toISOString(), version, commit: await commitOf(io) };
}

async function commitOf({ cwd, environment }: Pick<CliIo, "cwd" | "environment">): Promise<string | undefined> {
  const told = COMMIT_VARIABLES.map((name) => environment[name]).find((commit) => commit);
  if (told) return told;
  try {
    const options = { cwd, env: { ...environment }, timeout: TIMEOUT_MS };
    return (await promisify(execFile)("git", ["rev-parse", "--verify", "HEAD"], options)).stdout.trim();
  } catch {
    return undefined; // no repository, or no git: the page is made without it
  }
}
