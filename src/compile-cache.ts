import { enableCompileCache } from "node:module";
import { engineAddress } from "./dynamic/engine-process";
import { compileCacheFolder } from "./user-folders";

// On import, so that it comes before the modules it is for: the plugin of each run loads the same ones, and with what V8 has
// made of them in an earlier run they take half the time. Only in the plugin, which is this package's own process. Where the folder
// cannot be written, there is none, or NODE_DISABLE_COMPILE_CACHE is set, everything is compiled anew.
const folder = engineAddress() === undefined ? undefined : compileCacheFolder();
if (folder !== undefined) enableCompileCache(folder);
