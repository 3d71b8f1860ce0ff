import "../../process/node-version";
import { classes, CostSummary, RotatingApiKey } from "./classes";
import { functions } from "./functions";

// What `import … from "pulumi-cloudinfra/native"` loads. Its types are in types.ts. The names are those of the other entry, so that a program
// that is an ES module can import them by name. The values are this front's own.
export * from "../../index";
export { Provider } from "./provider";

// Written as a plain assignment, Node would take it for all there is, and find no names.
const values = { ...(exports as object), ...classes, ...functions, CostSummary, RotatingApiKey };
Object.assign(module, { exports: Object.defineProperty(values, "__esModule", { value: true }) });
