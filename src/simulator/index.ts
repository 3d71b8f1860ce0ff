import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { createControlServer } from "./control/control-app";
import { createApiServer } from "./http/api-app";
import { regions, seededIds } from "./model/catalogs";
import { readOptions, type SimulatorOptions } from "./options";
import { Simulation } from "./simulation";

export { SimulatorOptionError, type SimulatorOptions } from "./options";

/** A running simulator of the API. */
export interface Simulator {
  /** The base URL of the API, without a slash at its end. */
  readonly url: string;
  /** The owner's key. */
  readonly apiKey: string;
  /** The seeded project. */
  readonly projectId: string;
  /** The name of the first seeded region. */
  readonly region: string;
  /** The seeded VPC, 10.0.0.0/25. */
  readonly vpcId: string;
  /** The base URL of the control port. */
  readonly controlUrl: string;
  /** Restores the initial state. The owner key, the project and the VPC keep their ids. */
  reset(): void;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/**
 * Starts a simulator of the whole API on this machine, with an organization that has one project and one VPC. Rejects
 * with a SimulatorOptionError for a bad option, and with the system's error if a port is in use.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = readOptions(options);
  const simulation = new Simulation(settings);
  const api = await createApiServer(simulation);
  const control = createControlServer(simulation);
  const close = async (): Promise<void> => {
    await Promise.all([api.close(), control.close()]);
  };
  try {
    return {
      url: await listen(api, settings.host, settings.port),
      apiKey: settings.apiKey,
      projectId: seededIds.project,
      region: regions[0].name,
      vpcId: seededIds.vpc,
      controlUrl: await listen(control, "127.0.0.1", settings.controlPort),
      reset: () => {
        simulation.reset();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port });
  const { port: actual } = app.server.address() as AddressInfo;
  // A client cannot connect to an address that means "all addresses".
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${reachable}:${actual}`;
}
