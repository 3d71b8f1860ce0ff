import { placesOf } from "./place.mjs";

/**
 * What a CPU profile of V8 says: `{ total, places, functions }` in milliseconds, without the time in which nothing ran. `places` are
 * packages, and this package as a whole and by file, each `{ name, self, inclusive }`; `functions` are `{ name, self }`. The largest come first.
 */
export function summarizeCpu({ nodes, samples, timeDeltas }, root) {
  const selfUs = new Map();
  samples.forEach((id, i) => selfUs.set(id, (selfUs.get(id) ?? 0) + timeDeltas[i]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const tree = (node) => ({
    callFrame: node.callFrame,
    self: node.callFrame.functionName === "(idle)" ? 0 : (selfUs.get(node.id) ?? 0) / 1000,
    children: (node.children ?? []).map((id) => tree(byId.get(id))),
  });
  return summarizeTree(tree(nodes[0]), root);
}

/** What a sampled heap profile of V8 says, in bytes that were allocated, freed ones too; as `summarizeCpu`. */
export function summarizeHeap({ head }, root) {
  const tree = ({ callFrame, selfSize, children }) => ({ callFrame, self: selfSize, children: children.map(tree) });
  return summarizeTree(tree(head), root);
}

function summarizeTree(head, root) {
  const places = new Map();
  const functions = new Map();
  let total = 0;
  // Inclusive: what runs beneath a place counts for it once, however often the place is on the stack.
  const visit = ({ callFrame, self, children }, above) => {
    const own = placesOf(callFrame, root);
    const stack = own.every((place) => above.has(place)) ? above : new Set([...above, ...own]);
    total += self;
    if (self > 0) {
      for (const place of own) add(places, place, { self, inclusive: 0 });
      for (const each of stack) add(places, each, { self: 0, inclusive: self });
      add(functions, functionName(callFrame, own[0]), { self });
    }
    for (const child of children) visit(child, stack);
  };
  for (const child of head.children) visit(child, new Set());
  return { total, places: largestFirst(places), functions: largestFirst(functions) };
}

/** V8's own words, such as `(garbage collector)`, are their own place. */
function functionName({ functionName }, place) {
  return functionName === place ? place : `${functionName || "(anonymous)"}, ${place}`;
}

function add(sums, name, values) {
  const before = sums.get(name) ?? {};
  sums.set(name, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, (before[key] ?? 0) + value])));
}

function largestFirst(sums) {
  return Array.from(sums, ([name, values]) => ({ name, ...values })).sort((a, b) => b.self - a.self);
}
