import { join } from "node:path";

/**
 * Environment that reduces the processor time of the engine's runs to less than half. Node's processes, five in each
 * run, keep their compiled code for the next run, and load large parts of Pulumi's SDK only on use. Go's processes
 * collect no garbage before they need much memory.
 */
export const fastStart = {
  NODE_COMPILE_CACHE: undefined,
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "compiled-code.cjs"))}`,
  GOGC: "off",
  GOMEMLIMIT: "512MiB",
};
