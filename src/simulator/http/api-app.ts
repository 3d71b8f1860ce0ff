import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { z } from "zod";
import { Rejection } from "../model/rejection";
import { Call } from "../services/call";
import type { Endpoint } from "../services/endpoint";
import { endpointsOf } from "../services/endpoints";
import type { Simulation } from "../simulation";
import { admit, beginExchange, leaveAuditLog } from "./admission";
import { checkingSerializer, deliver, lateAnswers, plainSerializer } from "./delivery";
import { answerBrokenRequest, httpErrorOf, missingRoute, refusalOf, type RouteRefusal } from "./error-answers";
import { readJsonBodies } from "./json-bodies";
import { collectOpenApi, openApiEndpoint, endpointSchema } from "./openapi";

const bodyLimitBytes = 256 * 1024;

/** The complete request must arrive within this time, so that a slow sender cannot hold a connection open. */
const requestTimeoutMs = 30_000;

/** Serves the API over HTTP: the only layer that knows Fastify. */
export async function createApiServer(simulation: Simulation): Promise<FastifyInstance> {
  const { settings } = simulation;
  const endpoints = [...endpointsOf(settings.dialect, simulation.nouns), openApiEndpoint(() => app.swagger())];
  const refusalOfRoute = missingRoute(endpoints);
  const app = fastify({
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    // For the headers alone, Node applies the shorter of the two timeouts.
    http: {
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1000,
      // Node's own answer has no body: `admit` rejects such a request.
      requireHostHeader: false,
      // A request with two Authorization headers is rejected: together they are more than two fields.
      joinDuplicateHeaders: true,
    },
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (_error, request, reply) => {
      answerUndecodable(simulation, refusalOfRoute, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      answerBrokenRequest(simulation, error, socket);
    },
  });
  // Likewise for an unknown header Expect.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  readJsonBodies(app);
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler<z.ZodType>(({ schema, method, url }) =>
    settings.validateResponses ? checkingSerializer(schema, `${method} ${url}`) : plainSerializer,
  );
  app.decorateRequest("exchange");
  app.addHook("onRequest", (request, reply, done) => {
    beginExchange(simulation, request, reply);
    admit(simulation, refusalOfRoute, request, reply, done);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    leaveAuditLog(request, reply.statusCode);
    deliver(request, reply, replacedBody(request, reply, payload), settings.latencyMs, (sent) => {
      done(null, sent);
    });
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (!refusal) reportMistake(error);
    refuse(simulation, refusal ?? internalError, request, reply);
  });
  await collectOpenApi(app);
  const answerOf = lateAnswers(endpoints);
  for (const endpoint of endpoints) register(app, endpoint, answerOf);
  return app;
}

const internalError = new Rejection(500, "INTERNAL_ERROR", "internal error");

function refuse({ clock }: Simulation, refusal: Rejection, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(refusal.statusCode)
    .headers(refusal.headers)
    .send(httpErrorOf(refusal, request.id, clock.now()));
}

/** Fastify runs no hooks for a path that it cannot decode. An authorized caller gets the answer of an unknown route. */
function answerUndecodable(
  simulation: Simulation,
  refusalOfRoute: RouteRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  beginExchange(simulation, request, reply);
  admit(simulation, refusalOfRoute, request, reply, (error) => {
    const refusal = refusalOf(error) ?? internalError;
    request.exchange.logged.status = refusal.statusCode;
    refuse(simulation, refusal, request, reply);
  });
}

function register(app: FastifyInstance, endpoint: Endpoint, answerOf: ReturnType<typeof lateAnswers>): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    schema: endpointSchema(endpoint),
    config: { endpoint },
    handler(request, reply) {
      const { exchange } = request;
      if (!exchange.caller) throw new Error("the handler runs without a caller");
      const call = new Call(
        exchange.world,
        exchange.caller,
        {
          params: request.params as Readonly<Record<string, string>>,
          query: request.query as Readonly<Record<string, unknown>>,
          body: request.body,
          clientIp: exchange.clientIp,
          idempotencyKey: request.headers["idempotency-key"]?.toString(),
          operationFault: exchange.fault?.operation,
        },
        endpoint,
      );
      const answer = answerOf(endpoint, call);
      exchange.targetId = answer.targetId;
      return reply.code(endpoint.status).send(answer.body);
    },
  });
}

/** Headers and body of a fault replace those of the answer. */
function replacedBody(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const fault = request.exchange.fault;
  if (!fault) return payload;
  if (fault.body !== undefined) reply.header("content-type", "text/html").removeHeader("content-length");
  if (fault.headers) reply.headers(fault.headers);
  return fault.body ?? payload;
}

/** Warns of an error of the simulator itself, so that nobody takes the answer for the service's behaviour. */
function reportMistake(error: unknown): void {
  process.emitWarning(error instanceof Error ? (error.stack ?? error.message) : String(error), "SimulatorMistake");
}
