import { enableCompileCache } from "node:module";
import { engineAddress } from "./engine-process";
import { compileCacheFolder } from "../process/user-folders";

// Runs on import, because it must come before the modules that it caches. Each run's plugin loads the same modules.
// With the code that V8 compiled in an earlier run, they load in half the time. Only in the plugin, which is this
// package's own process. Node compiles everything if the user has no home, if the folder cannot be written, or if
// NODE_DISABLE_COMPILE_CACHE is set.
const folder = engineAddress() === undefined ? undefined : compileCacheFolder();
if (folder !== undefined) enableCompileCache(folder);
