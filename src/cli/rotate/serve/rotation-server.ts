import { createSecureContext } from "node:tls";
import fastify, { type FastifyInstance } from "fastify";
import { CloudinfraError } from "../../../api/errors";
import { isRecord } from "../../../definition/compare-values";
import { secondText } from "../../../time/utc";
import { parseJson } from "../../../text/json";
import { CommandFailure } from "../../command-failure";
import { exitCodes } from "../../exit-codes";
import type { CommonOptions } from "../../command-flags";
import { readInput, rejectListening, type CliIo } from "../../io";
import { untilStopped } from "../../signals";
import { forgetOwnKeys, OwnKeys } from "../../own-keys";
import { configOfStack } from "../../stack-config";
import { Callers, RefusedCaller, type CallerRules } from "./signed-caller";
import { KeyRotation } from "./rotation";

export interface ServeOptions extends CommonOptions, CallerRules {
  readonly host: string;
  readonly port: number;
  /** PEM files. */
  readonly cert?: string;
  readonly key?: string;
  readonly stack?: string;
}

type Certificate = Required<Pick<ServeOptions, "cert" | "key">>;

const MAX_BYTES = 64 * 1024;

/** Rotates keys for Pulumi ESC until SIGINT or SIGTERM. Rejects with CommandFailure or a CloudinfraError. */
export async function runServe(options: ServeOptions, io: CliIo): Promise<number> {
  const https = await certificateOf(options, io);
  const config = await configOfStack(io, options.stack);
  const openKeys = (): OwnKeys => new OwnKeys("rotate serve", config, io);
  const say = (text: string): void => void io.stdout.write(`${secondText(io.clock.now())} ${text}\n`);
  const first = openKeys();
  await first.now().finally(() => first.close()); // fails now if the settings are wrong
  const app = serverOf(options.audience, https, new Callers(options, io.clock), new KeyRotation(openKeys, io, say), io);
  const stopped = untilStopped(io.signal);
  const address = await app.listen({ host: options.host, port: options.port }).catch(rejectListening);
  say(`serves ${options.audience} at ${address}`);
  await stopped;
  await app.close(); // waits for the answers that are under way
  return exitCodes.fine;
}

function serverOf(
  audience: string,
  https: Certificate | null,
  callers: Callers,
  rotation: KeyRotation,
  io: CliIo,
): FastifyInstance {
  const app = fastify({ bodyLimit: MAX_BYTES, https, requestTimeout: 30_000 });
  // The body stays as it was sent, because the token has a hash of it.
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body);
  });
  // Closes each connection: rotations are rare, and the end of the service would wait for an open one.
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.header("connection", "close");
    done();
  });
  app.post(new URL(audience).pathname, async ({ headers, body }, reply) => {
    const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const environment = await callers.environmentOf(headers.authorization, sent);
    const { request, state } = parsed(sent);
    const rotated = await rotation.rotate({ environment, request, state });
    // If the journal cannot be written, the next rotation does it.
    reply.raw.once("finish", () => void forgetOwnKeys([rotated.id], io).catch(() => undefined));
    return rotated;
  });
  app.setErrorHandler((error, _request, reply) => {
    const { status, text } = answerTo(error);
    io.stderr.write(`warning: ${text}\n`);
    return reply.code(status).send({ message: text });
  });
  return app;
}

/**
 * The certificate for HTTPS, if the flags give one. Rejects with CommandFailure if it cannot be read, or if the key
 * does not belong to it.
 */
async function certificateOf({ cert, key }: ServeOptions, io: CliIo): Promise<Certificate | null> {
  if (cert === undefined || key === undefined) return null;
  const pair = { cert: (await readInput(cert, io)).text, key: (await readInput(key, io)).text };
  try {
    createSecureContext(pair);
    return pair;
  } catch (error) {
    const text = `${key} is not the private key of the certificate ${cert}. Give two PEM files of one certificate, the key without a password.`;
    throw new CommandFailure(text, { cause: error });
  }
}

function parsed(body: Buffer): { readonly request?: unknown; readonly state?: unknown } {
  const value = parseJson(body.toString());
  if (isRecord(value)) return value;
  throw new CommandFailure('The body must be JSON with "request" and "state".');
}

/** The status and text for an error. An unexpected error is not shown to the caller. */
function answerTo(error: unknown): { readonly status: number; readonly text: string } {
  if (error instanceof RefusedCaller) return { status: error.status, text: error.message };
  if (error instanceof CommandFailure) return { status: 400, text: error.message };
  if (error instanceof CloudinfraError) return { status: 502, text: error.message };
  const { statusCode, message } = Object(error) as { statusCode?: unknown; message?: unknown };
  if (typeof statusCode === "number" && statusCode < 500) return { status: statusCode, text: String(message) };
  return { status: 500, text: `The rotation failed: ${String(message)}` };
}
