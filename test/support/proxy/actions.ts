import type { Action, ProxyAnswer } from "./exchange";

type Json = Readonly<Record<string, unknown>>;

/** The API's own answer for an object that it does not have, so that clients do not take it for somebody else's 404. */
export const notFound: Json = {
  type: "NOT_FOUND_ERROR",
  message: "not found",
  request_id: "proxy",
  timestamp: "2026-06-15T12:00:00Z",
  context: { parameters: {} },
};

/** Cuts the connection before the service gets the request. */
export const dropBefore: Action = () => Promise.resolve(undefined);

/** The service carries the request out, but its response is lost. */
export const dropAfter: Action = async (_request, forward) => {
  await forward();
  return undefined;
};

/** The service carries the request out, but something in between answers. */
export function answerAfter(status: number, body = ""): Action {
  return async (_request, forward) => {
    await forward();
    return { status, headers: {}, body };
  };
}

/** Something in between answers, and the service does not get the request. */
export function answer(status: number, body: string | Json = "", headers: ProxyAnswer["headers"] = {}): Action {
  const isText = typeof body === "string";
  const type = { "content-type": isText ? "text/html" : "application/json" };
  return () =>
    Promise.resolve({ status, headers: { ...type, ...headers }, body: isText ? body : JSON.stringify(body) });
}

/** An ingress's answer for a path without a backend. */
export const foreign404 = answer(404, "default backend - 404");

/** The API's own 404: it does not show the object. */
export const hidden = answer(404, notFound);

/** The API refuses the request. */
export const refuse = answer(403, { ...notFound, type: "AUTHORIZATION_ERROR", message: "no" });

/** The service carries the request out, and then the API's own 404 is the answer. */
export const hiddenAfter: Action = async (request, forward) => {
  await forward();
  return hidden(request, forward);
};

/** Delays the request to the service until this is done. The client may have left meanwhile. */
export function holdBefore(until: Promise<unknown>): Action {
  return async (_request, forward) => {
    await until;
    return forward();
  };
}

/** Delays the answer to the client until this is done. */
export function holdAfter(until: Promise<unknown>): Action {
  return async (_request, forward) => {
    const answered = await forward();
    await until;
    return answered;
  };
}

/** Runs an action before the request is forwarded. */
export function before(happening: () => unknown): Action {
  return async (_request, forward) => {
    await happening();
    return forward();
  };
}

/** Runs an action after the service has answered, before the client gets the answer. */
export function after(happening: () => unknown): Action {
  return async (_request, forward) => {
    const answered = await forward();
    await happening();
    return answered;
  };
}

/** Delivers the request twice. The client gets the second answer. */
export const repeat: Action = async (_request, forward) => {
  await forward();
  return forward();
};

/** Changes the JSON body of the answer, if it is an object. */
export function rewrite(change: (body: Json, path: string) => Json | Promise<Json>): Action {
  return async (request, forward) => {
    const answered = await forward();
    const body = answered && jsonOf(answered.body);
    return body ? { ...answered, body: JSON.stringify(await change(body, request.path)) } : answered;
  };
}

/** Changes the JSON body of the request, so that the service makes something else than the client asks for. */
export function rewriteRequest(change: (body: Json) => Json): Action {
  return (request, forward) => {
    const body = JSON.stringify(change(JSON.parse(request.body) as Json));
    const headers = { ...request.headers, "content-length": String(Buffer.byteLength(body)) };
    return forward({ ...request, body, headers });
  };
}

/** Makes the service forget all operations: lists are empty, and each operation is the API's own 404. */
export const forgottenOperations: Action = (request, forward) => {
  if (/\/operations$/.test(request.path)) return rewrite((body) => ({ ...body, items: [] }))(request, forward);
  return hidden(request, forward);
};

/** Reports each operation as failed, whatever its effect. */
export const failedOperations = rewrite(({ items, ...operation }) =>
  Array.isArray(items)
    ? { ...operation, items: (items as readonly Json[]).map((each) => ({ ...each, status: "failed" })) }
    : { ...operation, status: "failed" },
);

/** Returns ids in upper case. */
export const upperCaseIds = rewrite((body) => {
  const text = JSON.stringify(body);
  return JSON.parse(
    text.replaceAll(
      /"(id|resource_id)":"([^"]+)"/g,
      (_all, name: string, id: string) => `"${name}":"${id.toUpperCase()}"`,
    ),
  ) as Json;
});

/** Sets the service's Date this far ahead of the times in its objects. */
export function skewDate(aheadMs: number): Action {
  return async (_request, forward) => {
    const answered = await forward();
    const date = answered?.headers["date"];
    if (answered === undefined || typeof date !== "string") return answered;
    return { ...answered, headers: { ...answered.headers, date: new Date(Date.parse(date) + aheadMs).toUTCString() } };
  };
}

/** Begins a list with an empty page, whose cursor leads to the items. */
export const emptyPageFirst: Action = async (request, forward) => {
  const parameters = new URLSearchParams(request.query);
  const cursor = parameters.get("cursor");
  if (cursor === null) {
    const pagination = { next_cursor: FIRST_CURSOR, previous_cursor: null, total_count: 0 };
    return answer(200, { items: [], pagination })(request, forward);
  }
  if (cursor !== FIRST_CURSOR) return forward();
  parameters.delete("cursor");
  const query = parameters.toString();
  return forward({ ...request, query: query === "" ? "" : `?${query}` });
};
const FIRST_CURSOR = "after-nothing";

/** Shifts a list while it is read, so that each object is on a second page again. */
export const onTwoPages: Action = (request, forward) => {
  const parameters = new URLSearchParams(request.query);
  const next_cursor = parameters.has("cursor") ? null : "second";
  parameters.delete("cursor");
  const page = { ...request, query: `?${parameters.toString()}` };
  return rewrite((body) => ({ ...body, pagination: { next_cursor } }))(page, () => forward(page));
};

/** Removes the targets from the audit log's entries. */
export const withoutTargets = rewriteItems((logs) => logs.map((log) => ({ ...log, target: null })));

/** Shows only these entries of the audit log. */
export function auditLogsOnly(isShown: (log: Json) => boolean): Action {
  return rewriteItems((logs) => logs.filter(isShown));
}

/** Changes the items of a list. Errors pass unchanged. */
export function rewriteItems(change: (items: readonly Json[]) => readonly Json[]): Action {
  return rewrite((body) => {
    const { items } = body;
    return Array.isArray(items) ? { ...body, items: change(items as readonly Json[]) } : body;
  });
}

/** The members of a JSON object. Undefined if the text is something else. */
export function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
