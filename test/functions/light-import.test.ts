import { Transpiled } from "./transpiled";
import { forSuite } from "../support/suite";

const built = forSuite(() => new Transpiled());

const SERVER = ["yaml", "fastify", "commander", "cli-table3"];
/** What only the provider's process or the command line needs. */
const HEAVY = [...SERVER, "undici", "zod", "settings/config.js", "api/client.js"];

describe("importing the package", () => {
  it.each([
    ["index.js", HEAVY],
    ["native/program/index.js", [...HEAVY, "decimal.js"]],
  ])("a program that imports %s loads no HTTP client, schemas or server", (entry, heavy) => {
    const loaded = built.loadedBy(`require("./dist/${entry}")`);
    expect(loaded).toContain(entry);
    expect(heavy.filter((name) => loaded.includes(name))).toEqual([]);
    expect(loaded.filter((name) => name.startsWith("native/") && !name.startsWith("native/program/"))).toEqual([]);
  });

  it("a lookup without settings does not load the HTTP library", () => {
    const loaded = built.loadedBy(`await require("./dist/index.js").getRegions().catch(() => {})`);

    // without a configuration, there is no address to send a request to
    expect(loaded).toEqual(expect.arrayContaining(["zod", "settings/config.js", "api/client.js"]));
    expect(["undici", ...SERVER].filter((name) => loaded.includes(name))).toEqual([]);
  });
});
