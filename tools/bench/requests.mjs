/** What a request asks for; `requests` are those of the simulator's control port. Each kind with its number, none that is not there. */
export function tally(requests) {
  const counts = {};
  for (const request of requests) counts[kindOf(request)] = (counts[kindOf(request)] ?? 0) + 1;
  return counts;
}

/** How many there are in a tally, of some kinds or of all. */
export function total(calls, kinds = Object.keys(calls)) {
  return kinds.reduce((sum, kind) => sum + (calls[kind] ?? 0), 0);
}

/** A tally in words, such as `100 creates, 9 operation lists`. */
export function inWords(calls) {
  const parts = Object.entries(calls).map(([kind, count]) => `${count} ${kind}${count === 1 ? "" : "s"}`);
  return parts.length === 0 ? "0" : parts.join(", ");
}

const VERBS = { POST: "create", PATCH: "update", PUT: "update", DELETE: "delete" };
const ID = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function kindOf({ method, path }) {
  if (path.endsWith("/cost")) return "quote";
  if (path.endsWith("/availability")) return "availability question";
  if (path === "/v1/operations") return "operation list";
  if (path.startsWith("/v1/operations/")) return "operation read";
  // The answer's date is the API's time.
  if (path === "/v1/regions") return "clock read";
  if (method === "GET") return ID.test(path) || path.endsWith("/kubeconfig") ? "read" : "list";
  return VERBS[method] ?? method;
}
