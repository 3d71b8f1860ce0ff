import { Transpiled } from "./transpiled";
import { forSuite } from "../support/suite";

const built = forSuite(() => new Transpiled());

const among = (names: readonly string[], loaded: readonly string[]): readonly string[] =>
  names.filter((name) => loaded.includes(name));

describe("importing the package", () => {
  it("a program loads no HTTP client, schema library or server", () => {
    const loaded = built.loadedBy(`require("./dist/index.js")`);

    expect(loaded).toContain("index.js");
    const heavy = [
      "undici",
      "zod",
      "yaml",
      "fastify",
      "commander",
      "cli-table3",
      "settings/config.js",
      "api/client.js",
    ];
    expect(among(heavy, loaded)).toEqual([]);
  });

  it("a lookup without settings does not load the HTTP library", () => {
    const loaded = built.loadedBy(`await require("./dist/index.js").getRegions().catch(() => {})`);

    // without a configuration, there is no address to send a request to
    expect(loaded).toEqual(expect.arrayContaining(["zod", "settings/config.js", "api/client.js"]));
    expect(among(["undici", "yaml", "fastify", "commander", "cli-table3"], loaded)).toEqual([]);
  });
});
