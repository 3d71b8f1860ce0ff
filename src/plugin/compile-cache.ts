import { enableCompileCache } from "node:module";
import { engineAddress } from "./engine-process";
import { compileCacheFolder } from "../process/user-folders";

// On import, because it must come before the modules that it caches. The plugin of each run loads the same modules; with V8's
// code of an earlier run they load in half the time. Only in the plugin, which is this package's own process. If the user has
// no home, the folder cannot be written, or NODE_DISABLE_COMPILE_CACHE is set, Node compiles everything.
const folder = engineAddress() === undefined ? undefined : compileCacheFolder();
if (folder !== undefined) enableCompileCache(folder);
