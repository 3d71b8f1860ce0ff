import { version } from "../../package.json";
import { Transpiled } from "../functions/transpiled";
import { expectToFit, WIDTHS } from "../support/narrow-text";
import { runCli } from "./support";
import { forSuite } from "../support/suite";
import { listen } from "../api/support/listeners";

const COMMANDS = [
  "",
  "cost",
  "cost comment github",
  "cost comment gitlab",
  "doctor",
  "permissions",
  "plugin install",
  "rotate",
  "with-key",
];

describe("cloudinfra", () => {
  it("prints the package's version", async () => {
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("prints commands and exit codes in its help", async () => {
    const { code, stdout, stderr } = await runCli(["--help"]);

    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: cloudinfra /);
    expect(stdout.match(/^ {2}[a-z][a-z-]*/gm)?.map((name) => name.trim())).toEqual([
      "cost",
      "doctor",
      "permissions",
      "plugin",
      "rotate",
      "simulator",
      "with-key",
      "completion",
      "help",
    ]);
    expect(stdout).toContain("\nExit codes: 0 fine, 1 error, 2 wrong usage, or as the command's help says.");
  });

  it.each(COMMANDS)("the help of %j has exit codes, short lines, no quotes", async (command) => {
    const { stdout } = await runCli([...command.split(" ").filter(Boolean), "--help"]);
    expect(stdout).toMatch(/^Exit codes?: /m);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toMatch(/(choices|default): +"/);
  });

  it.each(WIDTHS)("breaks no word of a help before its examples at %d columns", async (columns) => {
    for (const command of [...COMMANDS, "simulator", "rotate serve", "completion"]) {
      const shown = async (run: object): Promise<string> =>
        (await runCli([...command.split(" ").filter(Boolean), "--help"], run)).stdout.replace(/^Examples:$[^]*/m, "");
      expectToFit(await shown({ columns }), await shown({ columns: 200 }), columns);
    }
  });
});

describe("cloudinfra simulator", () => {
  it("prints a JSON line, and ends at a signal", async () => {
    const stop = new AbortController();
    let status: number | undefined;
    const { code, stdout } = await runCli(["simulator", "--dialect", "nirvana", "--api-key", "canary-owner"], {
      signal: stop.signal,
      onStdout: (line) => {
        const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string };
        void fetch(`${url}/v1/regions`, { headers: { authorization: `Bearer ${apiKey}` } })
          .then((response) => (status = response.status))
          .finally(() => stop.abort());
      },
    });

    expect([code, status]).toEqual([0, 200]);
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual([
      "url",
      "apiKey",
      "projectId",
      "region",
      "vpcId",
      "controlUrl",
    ]);
  });

  it.each([
    [
      ["--operation-time", "soon"],
      '--operation-time must be "0" or a duration with a unit such as "100ms" or "1s", not "soon"',
    ],
    [["--latency", "25d"], '--latency must be at most 12d, not "25d"'],
    [["--port", "70000"], '--port must be a port from 0 to 65535, not "70000"'],
    [["--dialect", "other"], '--dialect must be spec or nirvana, not "other"'],
    [["--rate-limit", "0"], '--rate-limit must be a number of requests per second above 0, not "0"'],
  ])("refuses %j, and names the option", async (flags, message) => {
    expect(await runCli(["simulator", ...flags])).toEqual({ code: 2, stdout: "", stderr: `error: ${message}\n` });
  });

  it("the simulator ends with 1 if its port is used", async () => {
    const other = await listen();
    const result = await runCli(["simulator", "--port", String(other.port)]);
    await other.close();
    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: 127.0.0.1:${other.port} is in use. Choose another port, or 0 for a free one.\n`,
    });
  });
});

describe("modules of a command", () => {
  const built = forSuite(() => new Transpiled());

  const heavy = ["undici", "zod", "cli-table3", "fastify", "@pulumi/pulumi"];
  it.each([
    [["--help"], []],
    // No HTTP client: without settings, no request is sent.
    [["doctor"], ["zod", "cli-table3"]],
    [["cost", "--help"], []],
    [["rotate", "--help"], []],
    [["simulator", "--help"], []],
  ])("%j loads only what the command needs", (argv, expected) => {
    const loaded = built.loadedBy(`await require("./dist/cli/main.js").main(${JSON.stringify(argv)})`);

    expect(heavy.filter((name) => loaded.includes(name))).toEqual(expected);
  });
});
