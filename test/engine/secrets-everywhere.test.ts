import type { PulumiResult } from "../../tools/pulumi/stack.cjs";
import { cloudinfra } from "./support/command";
import { fastStart } from "./support/fast-start";
import { declare, inDays, program } from "./support/programs";
import { leaks, type Canary } from "./support/secret-forms";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";
import { forSuite } from "../support/suite";

const CREDENTIAL = "of-the-configuration-Qz7Canary9Xk3vB2LwTr5";
/** The environment's key, which a run with its own key does not use. */
const UNUSED = "of-the-environment-Hn4Canary8Yp6sD1MuGe0";

const canaries: Canary[] = [
  { name: "the credential", secret: CREDENTIAL },
  { name: "the credential of the environment", secret: UNUSED },
];
/** The complete output, by command. */
const printed: Record<string, string> = {};
/** What Pulumi's SDK reports about every resource in the events of `up --json`. docs/limits.md describes it. */
let sdkEvents: string[] = [];

function isSdkDebugEvent(line: string): boolean {
  if (!line.includes("RegisterResource RPC finished")) return false;
  const { diagnosticEvent } = JSON.parse(line) as { diagnosticEvent?: { prefix: string; message: string } };
  return diagnosticEvent?.prefix === "debug: " && diagnosticEvent.message.startsWith("RegisterResource RPC finished");
}

const keys = (count: number, tag: string): string =>
  program(
    ...Array.from({ length: count }, (_, n) =>
      declare("ApiKey", `key${n}`, { expiresAt: inDays(30 + n), tags: [tag] }),
    ),
    declare("ConnectConnection", "link", { tags: [tag] }),
    declare("FirewallRule", "https", { tags: [tag] }),
    `exports.keys = [${Array.from({ length: count }, (_, n) => `key${n}.key`).join(", ")}];`,
  );

const session = forSuite(() =>
  Session.start(keys(2, "first"), {
    simulator: { apiKey: CREDENTIAL },
    config: { "cloudinfra:apiKey": { secret: CREDENTIAL } },
    env: {
      CLOUDINFRA_API_KEY: UNUSED,
      // Node's own output if a process dies, without the environment, which contains the credentials.
      NODE_OPTIONS: `${fastStart.NODE_OPTIONS} --report-uncaught-exception --report-on-fatalerror --report-exclude-env --report-directory=.`,
    },
  }),
);

async function cli(...args: string[]): Promise<string> {
  const { stdout, stderr } = await cloudinfra(session, args);
  return stdout + stderr;
}

async function run(name: string, command: Promise<PulumiResult | string>): Promise<void> {
  const result = await command;
  printed[name] = typeof result === "string" ? result : result.output;
}

/** From now on, also searches for the secrets of the current keys. */
async function learnKeys(): Promise<void> {
  const { keys: secrets } = (await session.stack.outputs()) as { keys: (string | undefined)[] };
  for (const secret of secrets) {
    if (secret !== undefined && !canaries.some((known) => known.secret === secret)) {
      canaries.push({ name: `the secret of key ${canaries.length - 1}`, secret });
    }
  }
}

/** The credentials in the forms in which a service could return them. */
const echo = [CREDENTIAL, encodeURIComponent(CREDENTIAL), Buffer.from(CREDENTIAL).toString("base64")].join(" ");
const error = JSON.stringify({
  type: "ODD_ERROR",
  message: `not ${echo}`,
  context: { parameters: { [CREDENTIAL]: echo } },
});

/** The possible answers to creations, one for each key of a program. */
const answers: readonly object[] = [
  { status: 400, body: error },
  { status: 403, body: error },
  { status: 409, body: error },
  { status: 422, body: `<html>${echo}</html>` },
  { status: 307, headers: { location: `https://api.example.test/${CREDENTIAL}`, "x-request-id": CREDENTIAL } },
  { status: 201, body: JSON.stringify({ id: 5, key: CREDENTIAL }) },
  { status: 201, body: `{"key":"${CREDENTIAL}` },
  { truncate: true },
  { drop: "after" },
];

beforeAll(async () => {
  const { stack } = session;
  await run("preview --json", stack.preview(["--json"]));
  await run("preview --diff", stack.preview(["--diff"]));
  await run("up", session.up(["--diff"]));
  await learnKeys();
  stack.write(keys(2, "second"));
  const events = (await session.up(["--json"])).output.split("\n");
  sdkEvents = events.filter(isSdkDebugEvent);
  await run("up --json", Promise.resolve(events.filter((line) => !isSdkDebugEvent(line)).join("\n")));
  await run("refresh", session.refresh(["--diff"]));
  await run("stack export", stack.pulumi(["stack", "export"]));
  await run("stack output", stack.pulumi(["stack", "output", "--json"]));
  await run("config", stack.pulumi(["config", "--json"]));
  await run("cloudinfra doctor", cli("doctor"));
  await run("cloudinfra rotate", cli("rotate", "--check", "--json"));
  await run("cloudinfra cost", cli("cost", "--destroy", "--format", "html"));

  for (const answer of answers) await session.api.fault({ method: "POST", path: `${paths.apiKeys}$`, ...answer });
  stack.write(keys(2 + answers.length, "third"));
  await run("up, with every fault", session.up());
  await session.api.clearFaults();
  for (const method of ["GET", "PATCH", "DELETE"]) {
    await session.api.fault({ method, path: "/v1/api_keys", status: 400, body: error, every: 1 });
  }
  await run("refresh, with a fault", session.refresh());
  await run("destroy, with a fault", session.destroy());
  await session.api.clearFaults();

  stack.write(
    `${keys(3, "fourth")}\nexports.crash = key0.key.apply((key) => { throw new Error("crash of the program"); });`,
  );
  await run("a program that dies", session.up());
});

describe("the search itself", () => {
  it.each([
    ["plain", (secret: string) => `a ${secret}.`],
    ["in another case", (secret: string) => secret.toUpperCase()],
    ["reversed", (secret: string) => Array.from(secret).reverse().join("")],
    ["in hex", (secret: string) => Buffer.from(secret).toString("hex")],
    ["in JSON", (secret: string) => JSON.stringify({ secret })],
    ["as a buffer in JSON", (secret: string) => JSON.stringify(Buffer.from(secret))],
    ["URL-encoded", encodeURIComponent],
    ["in base64", (secret: string) => Buffer.from(secret).toString("base64")],
    ["in base64 behind a byte", (secret: string) => Buffer.from(`:${secret}`).toString("base64")],
    ["in base64url behind two bytes", (secret: string) => Buffer.from(`::${secret}`).toString("base64url")],
  ])("finds a secret %s", (_form, write) => {
    for (const { secret } of canaries) {
      expect(leaks([{ name: "it", secret }], { there: write(secret), elsewhere: "nothing" })).toContainEqual(
        expect.stringMatching(/^it \(.*\) in there$/),
      );
    }
  });
});

it("prints output from all commands, and injects the faults", () => {
  expect(Object.entries(printed).filter(([, output]) => output.trim() === "")).toEqual([]);
  expect(printed["up, with every fault"]).toMatch(/failed: 400 ODD_ERROR: not \[credential\]/);
  expect(printed["refresh, with a fault"]).toContain("failed: 400 ODD_ERROR");
  expect(printed["a program that dies"]).toContain("crash of the program");
  expect(canaries.length).toBeGreaterThan(3);
});

it("no command prints a secret", async () => {
  await learnKeys();
  expect(leaks(canaries, printed)).toEqual([]);
});

it("no file has a secret in plain text", () => {
  const files = session.stack.files();
  expect(Object.keys(files).some((path) => path.includes("/state/.pulumi/stacks/"))).toBe(true);
  expect(leaks(canaries, files)).toEqual([]);
});

it("the simulator's control port shows no secret", async () => {
  const shown: Record<string, string> = {};
  for (const path of ["/state", "/requests", "/faults", "/clock", "/prices"]) {
    shown[path] = await (await fetch(session.api.simulator.controlUrl + path)).text();
  }
  expect(leaks(canaries, shown)).toEqual([]);
});

it("up --json shows secrets in the SDK's debug events only", () => {
  expect(leaks(canaries.slice(0, 2), { events: sdkEvents.join("\n") })).toEqual([]);
  expect(leaks(canaries.slice(2, 4), { events: sdkEvents.join("\n") })).not.toEqual([]);
});

it("-v=9 shows secrets in the engine's own lines only", async () => {
  session.stack.write(keys(3, "fifth"));
  const { output } = await session.up(["--logtostderr", "-v=9"]);
  await learnKeys();
  const { output: refreshed } = await session.refresh(["--logtostderr", "-v=9"]);
  const lines = (output + refreshed).split("\n");
  expect(leaks(canaries.slice(0, 2), { log: lines.join("\n") })).toEqual([]);
  const secrets = canaries.slice(2).map(({ secret }) => secret);
  const telling = lines.filter((line) => secrets.some((secret) => line.includes(secret)));
  expect(telling.length).toBeGreaterThan(0);
  // `I1121 12:00:00.000000 1234 rpc.go:85] …`: the engine's own files, and not our lines. The display's dots may stand
  // before it.
  const sources = telling.map((line) => /^(?:@ \w+\.*)?[IWE]\d{4} \S+ +\d+ (\w+\.go):\d+\]/.exec(line)?.[1] ?? line);
  expect([...new Set(sources)].sort()).toEqual(["eventsink.go", "rpc.go"]);
});
