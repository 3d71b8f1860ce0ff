import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { PULUMI_VERSION } from "./versions.mjs";

/** The folder that holds the engine of this version for this machine; its `bin` is what goes on PATH. */
export function engineFolder(env = process.env, version = PULUMI_VERSION) {
  return programFolder("engine", version, env);
}

/** The folder that holds another program of this version for this machine. */
export function programFolder(name, version, env = process.env) {
  return join(userCache(env), "pulumi-cloudinfra", name, `${version}-${process.platform}-${process.arch}`);
}

function userCache(env) {
  const { XDG_CACHE_HOME: xdg } = env;
  if (xdg && isAbsolute(xdg)) return xdg;
  const home = env.HOME || homeOfAccount();
  return process.platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

/** Where HOME says nothing (a bare service account, `env -i`) the account's entry does. */
function homeOfAccount() {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
}
