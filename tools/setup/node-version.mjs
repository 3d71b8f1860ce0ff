/** The oldest Node that can run the tools themselves. Their children run on the Node 24 in node_modules. */
export const OLDEST_NODE = 20;

/** One line that says why this Node cannot be used. Undefined if it can. */
export function nodeProblem(version = process.versions.node) {
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return undefined;
  return `Node ${OLDEST_NODE} or newer is needed to run this, and this is Node ${version}: see https://nodejs.org/`;
}
