import "../../process/node-version";
import { classes, CostSummary, RotatingApiKey } from "./plugin-classes";
import { functions } from "./functions";

// The module of `import … from "pulumi-cloudinfra/native"`. Its types are in types.ts. The names are re-exported from
// the other entry, so that an ES module can import them by name. The values are those of this front.
export * from "../../index";
export { Provider } from "./explicit-provider";

// Not a plain assignment to `module.exports`, from which Node would read no names.
const values = { ...(exports as object), ...classes, ...functions, CostSummary, RotatingApiKey };
Object.assign(module, { exports: Object.defineProperty(values, "__esModule", { value: true }) });
