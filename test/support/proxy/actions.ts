import type { Action, ProxyAnswer } from "./exchange";

type Json = Readonly<Record<string, unknown>>;

/** The API's own words, so that no client takes it for somebody else's 404. */
const notFound: Json = {
  type: "NOT_FOUND_ERROR",
  message: "not found",
  request_id: "proxy",
  timestamp: "2026-06-15T12:00:00Z",
  context: { parameters: {} },
};

/** The connection is cut, and the service has not heard of the request. */
export const dropBefore: Action = () => Promise.resolve(undefined);

/** The service carries the request out, and its answer is lost. */
export const dropAfter: Action = async (_request, forward) => {
  await forward();
  return undefined;
};

/** The service carries the request out, and something in between answers. */
export function answerAfter(status: number, body = ""): Action {
  return async (_request, forward) => {
    await forward();
    return { status, headers: {}, body };
  };
}

/** Something in between answers, and the service has not heard of the request. */
export function answer(status: number, body: string | Json = "", headers: ProxyAnswer["headers"] = {}): Action {
  const isText = typeof body === "string";
  const type = { "content-type": isText ? "text/html" : "application/json" };
  return () =>
    Promise.resolve({ status, headers: { ...type, ...headers }, body: isText ? body : JSON.stringify(body) });
}

/** What an ingress says of a path that leads nowhere. */
export const foreign404 = answer(404, "default backend - 404");

/** The request reaches the service only then; the client may have gone by that time. */
export function holdBefore(until: Promise<unknown>): Action {
  return async (_request, forward) => {
    await until;
    return forward();
  };
}

/** The answer reaches the client only then. */
export function holdAfter(until: Promise<unknown>): Action {
  return async (_request, forward) => {
    const answered = await forward();
    await until;
    return answered;
  };
}

/** Something happens before the request is handed on. */
export function before(happening: () => unknown): Action {
  return async (_request, forward) => {
    await happening();
    return forward();
  };
}

/** Something happens after the service has answered, and before the client hears of it. */
export function after(happening: () => unknown): Action {
  return async (_request, forward) => {
    const answered = await forward();
    await happening();
    return answered;
  };
}

/** The network delivers the request twice; the client hears the second answer. */
export const repeat: Action = async (_request, forward) => {
  await forward();
  return forward();
};

/** The answer's JSON body is changed; bodies that are no objects stay. */
export function rewrite(change: (body: Json, path: string) => Json | Promise<Json>): Action {
  return async (request, forward) => {
    const answered = await forward();
    const body = answered && jsonOf(answered.body);
    return body ? { ...answered, body: JSON.stringify(await change(body, request.path)) } : answered;
  };
}

/** The service no longer knows any operation: its lists are empty, and each answers the API's own 404. */
export const forgottenOperations: Action = (request, forward) => {
  if (/\/operations$/.test(request.path)) return rewrite((body) => ({ ...body, items: [] }))(request, forward);
  return answer(404, notFound)(request, forward);
};

/** Each operation is told as failed, whatever has come of it. */
export const failedOperations = rewrite(({ items, ...operation }) =>
  Array.isArray(items)
    ? { ...operation, items: (items as readonly Json[]).map((each) => ({ ...each, status: "failed" })) }
    : { ...operation, status: "failed" },
);

/** Ids come back in upper case. */
export const upperCaseIds = rewrite((body) => {
  const text = JSON.stringify(body);
  return JSON.parse(
    text.replaceAll(
      /"(id|resource_id)":"([^"]+)"/g,
      (_all, name: string, id: string) => `"${name}":"${id.toUpperCase()}"`,
    ),
  ) as Json;
});

/** The service's Date is that far ahead of what it writes into its objects. */
export function skewDate(aheadMs: number): Action {
  return async (_request, forward) => {
    const answered = await forward();
    const date = answered?.headers["date"];
    if (answered === undefined || typeof date !== "string") return answered;
    return { ...answered, headers: { ...answered.headers, date: new Date(Date.parse(date) + aheadMs).toUTCString() } };
  };
}

/** A list's first page comes without items, with a cursor that leads to them. */
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

/** The list shifts while it is read: each of its objects stands on a second page again. */
export const onTwoPages: Action = (request, forward) => {
  const parameters = new URLSearchParams(request.query);
  const next_cursor = parameters.has("cursor") ? null : "second";
  parameters.delete("cursor");
  const page = { ...request, query: `?${parameters.toString()}` };
  return rewrite((body) => ({ ...body, pagination: { next_cursor } }))(page, () => forward(page));
};

/** Every page has a fresh cursor: the list never ends. */
export function endlessPages(): Action {
  let nth = 0;
  return (request, forward) => {
    nth += 1;
    const pagination = { next_cursor: `cursor-${nth}`, previous_cursor: null, total_count: 0 };
    return answer(200, { items: [], pagination })(request, forward);
  };
}

/** The audit log does not say what its requests were about. */
export const withoutTargets = rewriteItems((logs) => logs.map((log) => ({ ...log, target: null })));

/** The audit log has only such entries. */
export function auditLogsOnly(isShown: (log: Json) => boolean): Action {
  return rewriteItems((logs) => logs.filter(isShown));
}

/** The items of a list are changed; refusals stay. */
function rewriteItems(change: (items: readonly Json[]) => readonly Json[]): Action {
  return rewrite((body) => {
    const { items } = body;
    return Array.isArray(items) ? { ...body, items: change(items as readonly Json[]) } : body;
  });
}

/** Lists leave out what is younger than that by the service's Date. */
export function lateList(lagMs: number): Action {
  return async (_request, forward) => {
    const answered = await forward();
    const body = answered && jsonOf(answered.body);
    if (!body || !Array.isArray(body["items"])) return answered;
    const items = (body["items"] as readonly Json[]).filter((item) => !isYounger(item, lagMs, answered));
    return { ...answered, body: JSON.stringify({ ...body, items }) };
  };
}

/** The address of an object that is younger than that by the service's Date answers the API's own 404. */
export function lateRead(lagMs: number): Action {
  return async (request, forward) => {
    const answered = await forward();
    const body = answered && jsonOf(answered.body);
    if (!body || !isYounger(body, lagMs, answered)) return answered;
    return answer(404, notFound, { date: answered.headers["date"] })(request, forward);
  };
}

function isYounger({ created_at: createdAt }: Json, lagMs: number, { headers }: ProxyAnswer): boolean {
  return typeof createdAt === "string" && Date.parse(String(headers["date"])) - Date.parse(createdAt) < lagMs;
}

function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
