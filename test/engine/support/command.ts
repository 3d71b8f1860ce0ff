import { execFile } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../docs/support/markdown";
import type { Session } from "./session";

const CLOUDINFRA = join(ROOT, "bin", "cloudinfra.js");

/** The result of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  /** Environment in addition to the stack's. Undefined removes a variable. */
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string | undefined;
}

/** Runs a command in the stack's folder, as a person at a keyboard would. */
export function inFolderOf(
  { stack }: Session,
  [command = "", ...args]: readonly string[],
  { env, stdin = "" }: Surroundings = {},
): Promise<CommandResult> {
  const options = { cwd: stack.folder, env: { ...stack.env, ...env }, maxBuffer: 1 << 24 };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.end(stdin);
  });
}

/** Runs `cloudinfra` in the stack's folder. */
export function cloudinfra(
  session: Session,
  args: readonly string[],
  surroundings?: Surroundings,
): Promise<CommandResult> {
  return inFolderOf(session, [process.execPath, CLOUDINFRA, ...args], surroundings);
}
