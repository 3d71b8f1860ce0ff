import { execFile } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../docs/support/markdown";
import type { Session } from "./session";

const CLOUDINFRA = join(ROOT, "bin", "cloudinfra.js");

/** The end of a command. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in the stack's folder, as somebody at its keyboard would. */
export function inFolderOf(
  { stack }: Session,
  [command = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv = stack.env,
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: stack.folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Runs `cloudinfra` there. */
export function cloudinfra(session: Session, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
  return inFolderOf(session, [process.execPath, CLOUDINFRA, ...args], env);
}
