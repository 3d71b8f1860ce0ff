import type { Simulator } from "../../src/simulator";

/** An object of the API, in the API's own form. */
export type WireObject = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

/** A request as the control port shows it. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** A simulator's API, for requests of its owner, and its control port. */
export abstract class SimulatorClient {
  abstract readonly simulator: Simulator;

  /** A request of the owner. Resolves with the body. Rejects for anything but 2xx. */
  async call(method: string, path: string, body?: object): Promise<WireObject> {
    return (await sendAs(this.simulator.apiKey, method, this.simulator.url + path, body)) as WireObject;
  }

  /** The API's answer to a client that signs in with this key. */
  async signIn(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${this.simulator.url}/v1/regions`, { headers })).status;
  }

  /** Everything in the simulator, by collection. */
  async state(): Promise<Record<string, WireObject[]>> {
    return (await this.control("GET", "/state")) as Record<string, WireObject[]>;
  }

  /** The requests since the start or the last reset, in order. */
  async log(): Promise<readonly LoggedRequest[]> {
    return (await this.control("GET", "/requests")) as readonly LoggedRequest[];
  }

  /** Stores the given objects without the API's rules. */
  async place(collection: string, ...objects: readonly object[]): Promise<void> {
    await this.control("POST", "/state", { [collection]: objects });
  }

  /** Deletes an object without the API's rules. */
  async takeAway(collection: string, id: string): Promise<void> {
    await this.control("DELETE", `/state/${collection}/${id}`);
  }

  /** Injects a fault, in the control port's form. */
  async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    await this.control("POST", "/faults", fault);
  }

  async clearFaults(): Promise<void> {
    await this.control("DELETE", "/faults");
  }

  /** Sets the quotas that each region has run out of, for all organizations. */
  async runOut(shortages: Readonly<Record<string, readonly string[]>>): Promise<void> {
    await this.control("POST", "/capacity", shortages);
  }

  /** Sets unit prices, by their dimension, for quotes from now on. */
  async setPrices(unitPrices: Readonly<Record<string, string>>): Promise<void> {
    await this.control("POST", "/prices", unitPrices);
  }

  /** Moves the API's clock ahead of every other: `2h`. */
  async advance(by: string): Promise<void> {
    await this.control("POST", "/clock", { advance: by });
  }

  protected control(method: string, path: string, body?: object): Promise<unknown> {
    return sendAs(this.simulator.apiKey, method, this.simulator.controlUrl + path, body);
  }
}

/** Sends a request with an API key. Resolves with the body. Rejects for anything but 2xx. */
export async function sendAs(
  apiKey: string,
  method: string,
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
