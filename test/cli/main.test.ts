import { version } from "../../package.json";
import { Transpiled } from "../functions/transpiled";
import { runCli } from "./support";
import { forSuite } from "../support/suite";
import { listen } from "../api/support/listeners";

describe("cloudinfra", () => {
  it("prints the package's version", async () => {
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("prints commands and exit codes in its help", async () => {
    const { code, stdout, stderr } = await runCli(["--help"]);

    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: cloudinfra /);
    const names = stdout.match(/^ {2}[a-z][a-z-]*/gm)?.map((name) => name.trim());
    expect(names?.join(" ")).toBe("cost doctor permissions plugin rotate simulator with-key completion help");
    expect(stdout).toContain("\nExit codes: 0 fine, 1 error, 2 wrong usage, or as the command's help says.");
  });
});

describe("cloudinfra simulator", () => {
  it("prints a JSON line, and ends at a signal", async () => {
    const stop = new AbortController();
    const answers: unknown[] = [];
    const ask = async ({ url, apiKey, vpcId, controlUrl }: Record<string, string>): Promise<void> => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const vpc: unknown = await (await fetch(`${url}/v1/networking/vpcs/${vpcId}`, { headers })).json();
      answers.push(apiKey, vpc, (await fetch(`${controlUrl}/clock`)).status);
    };
    const flags = ["--dialect", "nirvana", "--api-key", "canary-owner"];
    const { code, stdout } = await runCli(["simulator", ...flags], {
      signal: stop.signal,
      onStdout: (line) => void ask(JSON.parse(line) as Record<string, string>).finally(() => stop.abort()),
    });
    const line = JSON.parse(stdout) as Record<string, string>;
    const vpc: unknown = expect.objectContaining({ project_id: line["projectId"], region: line["region"] });
    expect([code, answers]).toEqual([0, ["canary-owner", vpc, 200]]);
    expect(Object.keys(line)).toEqual(["url", "apiKey", "projectId", "region", "vpcId", "controlUrl"]);
    await expect(fetch(`${line["url"]}/v1/regions`)).rejects.toThrow();
  });

  it("the simulator ends with 1 if its port is used", async () => {
    const other = await listen();
    const result = await runCli(["simulator", "--port", String(other.port)]);
    await other.close();
    const stderr = `error: 127.0.0.1:${other.port} is in use. Choose another port, or 0 for a free one.\n`;
    expect(result).toEqual({ code: 1, stdout: "", stderr });
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
