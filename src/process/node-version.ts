/** The oldest Node that the HTTP client runs on. */
const OLDEST_NODE = [22, 19] as const;

/** Throws a one-line error in an older Node, before modules are loaded that would crash there. */
export function assertNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  const error = new Error(
    `pulumi-cloudinfra needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${version}. ` +
      "Install a newer Node from https://nodejs.org or with your version manager, and run again. Or run `npm install node@24` in the " +
      "project, and put node_modules/.bin first on the PATH.",
  );
  error.stack = error.message;
  // Not enumerable, because Node prints each enumerable member below the message.
  Object.defineProperty(error, "name", { value: "OldNodeError" });
  throw error;
}

// On import, because it must come before the following imports.
assertNodeVersion();
