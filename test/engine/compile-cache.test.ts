import { readdirSync } from "node:fs";
import { join } from "node:path";
import { counts, succeeded } from "./support/output";
import { ALL, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";

/** A session without the cache that the tests' own processes share. */
function start(env: Readonly<Record<string, string>> = {}): Promise<Session> {
  return Session.start(program(oneOfEach()), {
    env: { NODE_COMPILE_CACHE: undefined, NODE_OPTIONS: undefined, ...env },
  });
}

/** The files of compiled code, by their paths in the cache. */
function compiled({ stack }: Session): readonly string[] {
  const folder = join(stack.folder, "xdg-cache", "pulumi-cloudinfra", "compile-cache");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

it("when a run has ended, the modules that its plugin has loaded are there for the next one, compiled", async () => {
  const session = await start();

  expect(counts(succeeded(await session.up()))).toEqual([`+ ${ALL} created`]);
  const afterFirst = compiled(session);
  expect(counts(succeeded(await session.stack.preview()))).toEqual([`${ALL} unchanged`]);

  // The provider, the schemas and the HTTP client are some three hundred files.
  expect(afterFirst.length).toBeGreaterThan(200);
  expect(compiled(session)).toEqual(afterFirst);
  await session.expectAgreement();
});

it("when the cache cannot be written, everything is compiled anew, and nobody hears of it", async () => {
  const session = await start({ XDG_CACHE_HOME: "/dev/null" });

  const output = succeeded(await session.up());

  expect(counts(output)).toEqual([`+ ${ALL} created`]);
  expect(output).not.toMatch(/warning|cache/i);
  await session.expectAgreement();
});
