import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { z } from "zod";
import { readJsonBodies } from "../http/json-bodies";
import { formatDecimal } from "../model/prices";
import type { Shortages } from "../model/quota-ledger";
import { formatTimestamp } from "../model/time";
import { lag as lagRequest } from "../schemas/durations";
import { faultRequest } from "../schemas/faults";
import type { Simulation } from "../simulation";
import { capacityRequest, clockRequest, pricesRequest } from "./requests";
import { placedObjects, placeObjects, removeObject, simulatedState } from "./state";

const refusal = (statusCode: number, message: string): Error => Object.assign(new Error(message), { statusCode });

/**
 * Serves the control port, which controls clock, faults and prices, and shows the state. It has no credential, so it
 * rejects browsers.
 */
export function createControlServer(simulation: Simulation): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  readJsonBodies(app, "*");
  app.addHook("onRequest", (request, _reply, done) => {
    done(refusalOfOrigin(request));
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ error: error.message }),
  );
  app.setNotFoundHandler((request) => {
    throw refusal(404, `no ${request.method} ${request.url} on the control port`);
  });

  /** A part of the state: GET shows it, POST changes it and shows it. */
  const serve = (path: string, show: () => object, change: (body: unknown) => void): void => {
    app.get(path, show);
    app.post(path, ({ body }) => {
      change(body);
      return show();
    });
  };
  const now = () => ({ now: formatTimestamp(simulation.clock.now()) });
  serve("/clock", now, (body) => {
    const { advance } = read(clockRequest, body);
    if (!simulation.clock.advance(advance)) throw refusal(400, "advance: must be at most a century in all");
  });

  const faults = () =>
    simulation.faults
      .list()
      .map(({ request: { path, ...rest }, seen, fired }) => ({ ...rest, path: path.source, seen, fired }));
  app.get("/faults", faults);
  app.post("/faults", ({ body }, reply) => {
    simulation.faults.add(read(faultRequest, body));
    return reply.code(201).send(faults());
  });
  app.delete("/faults", (_request, reply) => {
    simulation.faults.clear();
    return reply.code(204).send();
  });

  const lag = () => {
    const { readsMs, listsMs, auditMs } = simulation.world.lag;
    return { reads: readsMs, lists: listsMs, audit: auditMs };
  };
  serve("/lag", lag, (body) => {
    simulation.world.lag = read(lagRequest, body);
  });

  const shortages = () => simulation.world.quotas.shortages;
  serve("/capacity", shortages, (body) => {
    simulation.world.quotas.shortages = read(capacityRequest, body) as Shortages;
  });

  const prices = () => {
    const { prices } = simulation.world;
    return Object.fromEntries(prices.dimensions.map((name) => [name, formatDecimal(prices.row(name).unitPrice)]));
  };
  serve("/prices", prices, (body) => {
    for (const [dimension, unitPrice] of Object.entries(read(pricesRequest(simulation.world.prices.dimensions), body)))
      if (unitPrice) simulation.world.billing.setPrice(dimension, unitPrice);
  });

  app.get("/requests", () => simulation.requests.list());
  const placed = placedObjects(simulation);
  const state = () => simulatedState(simulation);
  serve("/state", state, (body) => {
    placeObjects(simulation, read(placed, body));
  });
  app.delete<{ Params: { collection: string; id: string } }>("/state/:collection/:id", ({ params }, reply) => {
    const { collection, id } = params;
    if (!removeObject(simulation, collection, id)) throw refusal(404, `${collection} has no ${id}`);
    return reply.code(204).send();
  });
  app.post("/reset", (_request, reply) => {
    simulation.reset();
    return reply.code(204).send();
  });
  return app;
}

/**
 * Rejects requests of web pages, which can reach a loopback port from a browser. A browser adds certain headers. A page
 * may also use a host name that resolves to loopback, so `Host` must be the control port's own address, including the
 * port.
 */
function refusalOfOrigin({ headers, socket }: FastifyRequest): Error | undefined {
  if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) {
    return refusal(403, "the control port takes no requests from browsers");
  }
  const port = String(socket.localPort);
  const hosts = ["127.0.0.1", "localhost"].map((name) => (port === "80" ? name : `${name}:${port}`));
  if (hosts.includes(headers.host?.toLowerCase() ?? "")) return undefined;
  return refusal(403, `the control port takes requests to ${hosts.join(" and ")} only`);
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw refusal(400, where === "" ? (issue?.message ?? "malformed") : `${where}: ${issue?.message ?? "malformed"}`);
}
