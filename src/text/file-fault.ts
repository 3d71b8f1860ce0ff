import { existsSync } from "node:fs";
import { dirname } from "node:path";

const FILE_LIMIT = "too many files are open; raise the limit (`ulimit -n`), and run again";
/** The words for codes that a connection may have, too: the process, or the machine, can open no further file. */
export const fileLimits: Readonly<Record<string, string | undefined>> = { EMFILE: FILE_LIMIT, ENFILE: FILE_LIMIT };

/**
 * Why a file or folder cannot be read or written, in words. `missing`: the noun for a path that does not exist. Without
 * it, the path was to be written, so its folder does not exist.
 */
export function fileFault(error: unknown, missing?: string): string {
  const { code, message, path = "" } = error as NodeJS.ErrnoException;
  const words: typeof fileLimits = {
    ...fileLimits,
    ENOSPC: "no space is left on the disk",
    EDQUOT: "the disk quota is used up",
    EACCES: "permission denied",
    EROFS: "the disk is read-only",
    EISDIR: "it is a folder",
    EEXIST: "it is a file, not a folder",
    ENOTDIR: "it, or a part of its path, is a file, not a folder",
    ENOENT: missing === undefined ? notMadeText(dirname(path)) : `there is no such ${missing}`,
  };
  return words[code ?? ""] ?? code ?? message;
}

/** Node reports a folder that cannot be made, for example on a read-only disk, as if its parent did not exist. */
function notMadeText(parent: string): string {
  return existsSync(parent) ? `nothing can be made in ${parent}` : `there is no folder ${parent}`;
}
