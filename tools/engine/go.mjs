import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "../setup/child.mjs";
import { userPath } from "../setup/paths.mjs";
import { isExecutable } from "./probe.mjs";
import { atLeast, OLDEST_GO } from "./versions.mjs";

const CROSS_BUILD = ["GOOS", "GOARCH", "GOAMD64", "GOARM64"];

/** The Go on PATH: `{ go, version }`, or `{ problem }` if it cannot build the engine. */
export async function findGo() {
  const folder = userPath().find((candidate) => isExecutable(join(candidate, "go")));
  if (!folder) return { problem: "there is no Go on PATH" };
  const go = join(folder, "go");
  // Run outside any module, because a go.mod here or above would change the version.
  const { code, stdout, tail } = await runQuietly(go, ["env", "GOVERSION"], { cwd: tmpdir(), env: goEnvironment() });
  const version = /^go(\d+(\.\d+)*)/m.exec(stdout)?.[1];
  if (code !== 0 || !version) return { problem: `${go} does not work: ${tail}` };
  if (!atLeast(version, OLDEST_GO)) return { problem: `${go} is Go ${version}, and ${OLDEST_GO} is needed` };
  return { go, version };
}

/**
 * The environment for a build for this machine, whatever the user's settings are. Go's caches are in `scratch` if the
 * user has no home folder.
 */
export function goEnvironment(scratch) {
  const { env } = process;
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !CROSS_BUILD.includes(name)));
  const homeless = !env.HOME && scratch;
  const goFlags = `${env.GOFLAGS ?? ""} -modcacherw`.trim(); // a module cache that can be deleted
  return {
    ...kept,
    CGO_ENABLED: "0",
    GO111MODULE: "on",
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    ...(homeless && {
      GOENV: "off",
      GOPATH: join(scratch, "gopath"),
      GOCACHE: join(scratch, "gocache"),
      GOFLAGS: goFlags,
    }),
  };
}
