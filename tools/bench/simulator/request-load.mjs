import { Pool } from "undici";

/** Requests to a simulator, so many at a time, each on a connection that is kept. An answer but 2xx is an error. */
export class RequestLoad {
  #simulator;
  #concurrency;
  #headers;
  #pool;

  constructor(simulator, concurrency) {
    this.#simulator = simulator;
    this.#concurrency = concurrency;
    this.#headers = { authorization: `Bearer ${simulator.apiKey}`, "content-type": "application/json" };
    this.#pool = new Pool(simulator.url, { connections: concurrency });
  }

  /**
   * Sends what `next` gives, `{ method, path, body }`, until it gives nothing. Resolves with how many it were a second, and
   * with the processor time of each, in microseconds: the simulator's (null where it cannot be known) and ours.
   */
  async measure(next) {
    const [startedAt, cpuBeforeUs, ourCpuBefore] = [performance.now(), this.#simulator.cpuUs(), process.cpuUsage()];
    const sent = await this.#sendAll(next);
    const { user, system } = process.cpuUsage(ourCpuBefore);
    return {
      perSecond: (sent * 1000) / (performance.now() - startedAt),
      simulatorCpuUs: cpuBeforeUs === null ? null : (this.#simulator.cpuUs() - cpuBeforeUs) / sent,
      loadCpuUs: (user + system) / sent,
    };
  }

  /** Sends one GET; resolves with the JSON of its answer. */
  async get(path) {
    const body = await this.#send({ method: "GET", path });
    return body.json();
  }

  /** Cuts the connections, also under requests that a failure has left behind. */
  close() {
    return this.#pool.destroy();
  }

  async #sendAll(next) {
    let sent = 0;
    const lane = async () => {
      for (let request = next(); request; request = next()) {
        const body = await this.#send(request);
        await body.dump();
        sent += 1;
      }
    };
    await Promise.all(Array.from({ length: this.#concurrency }, lane));
    return sent;
  }

  async #send({ method, path, body }) {
    const answer = await this.#pool.request({ method, path, body, headers: this.#headers });
    if (answer.statusCode < 300) return answer.body;
    throw new Error(`${method} ${path} was answered with ${answer.statusCode}: ${await answer.body.text()}`);
  }
}
