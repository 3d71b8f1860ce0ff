/** The oldest Node that the tools themselves run on. What they start runs on the Node 24 of node_modules. */
export const OLDEST_NODE = 20;

/** One line that says what is wrong with this Node. Undefined if it can be used. */
export function nodeProblem(version = process.versions.node) {
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return undefined;
  return `Node ${OLDEST_NODE} or newer is needed to run this, and this is Node ${version}: see https://nodejs.org/`;
}
