import { medians } from "../median.mjs";

const PAGES_TIMED = 300;

/** The firewall rules of one VPC of a simulator, and what it takes to make and to read them. */
export class FirewallRules {
  #load;
  #path;
  #count = 0;

  constructor(load, vpcId) {
    this.#load = load;
    this.#path = `/v1/networking/vpcs/${vpcId}/firewall_rules`;
  }

  /** Creates rules until there are so many; resolves with what a request took. */
  createUntil(count) {
    return this.#load.measure(() => {
      if (this.#count >= count) return undefined;
      this.#count += 1;
      const rule = {
        name: `rule-${this.#count}`,
        protocol: "tcp",
        source_address: "0.0.0.0/0",
        destination_address: "10.0.0.0/25",
        destination_ports: [String(1 + (this.#count % 65_535))],
        tags: ["bench"],
      };
      return { method: "POST", path: this.#path, body: JSON.stringify(rule) };
    });
  }

  /** Reads these paths in turn for so long; resolves with what a request took. */
  readFor(paths, seconds) {
    const endsAt = performance.now() + seconds * 1000;
    let at = 0;
    return this.#load.measure(() =>
      performance.now() < endsAt ? { method: "GET", path: paths[at++ % paths.length] } : undefined,
    );
  }

  /** Walks the list by pages of 20: the paths of its pages, in order, and of each rule. Fails if a rule is not met once. */
  async walk() {
    const rules = new Set();
    const pages = [];
    for (let path = `${this.#path}?limit=20`; path;) {
      pages.push(path);
      const { items, pagination } = await this.#load.get(path);
      for (const { id } of items) rules.add(`${this.#path}/${id}`);
      path = pagination.next_cursor && `${this.#path}?limit=20&cursor=${pagination.next_cursor}`;
    }
    if (rules.size !== this.#count) throw new Error(`the list has ${rules.size} of ${this.#count} firewall rules`);
    return { pages, rules: [...rules] };
  }

  /** How many milliseconds the first, the middle and the last of these pages take, one request at a time and in turn. */
  async timePages(pages) {
    const places = { first: pages[0], middle: pages[pages.length >> 1], last: pages.at(-1) };
    const times = [];
    for (let turn = 0; turn < PAGES_TIMED; turn += 1) {
      const timesMs = {};
      for (const [place, path] of Object.entries(places)) {
        const startedAt = performance.now();
        await this.#load.get(path);
        timesMs[place] = performance.now() - startedAt;
      }
      times.push(timesMs);
    }
    return medians(times);
  }
}
