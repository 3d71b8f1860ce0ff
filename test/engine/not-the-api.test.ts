import { counts, failed, diagnosticsOf, succeeded } from "./support/output";
import { ALL, names, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const session = forSuite(() => Session.startUp(program(oneOfEach())));
let ids: readonly string[];

beforeAll(async () => {
  ids = await session.api.heldIds();
});

/** Checks that state and API are unchanged, and that the next run does nothing. */
async function expectNothingLost(): Promise<void> {
  expect(session.keptIds()).toEqual(ids);
  expect(await session.api.heldIds()).toEqual(ids);
  expect(counts(succeeded(await session.up()))).toEqual([`${ALL} unchanged`]);
}

describe("when the base URL wrongly ends in /api", () => {
  const baseUrl = (): string => `${session.api.simulator.url}/api`;
  const run = (command: string) =>
    session.stack.pulumi([command, "--yes", "--non-interactive", "--skip-preview"], {
      env: { CLOUDINFRA_BASE_URL: baseUrl() },
    });

  it.each(["refresh", "destroy"])("a %s fails with advice", async (command) => {
    const output = failed(await run(command));
    // A destroy stops at the first failure. The engine chooses which object that is.
    const diagnostics = names
      .filter((name) => output.includes(`(${name}):`))
      .map((name) => diagnosticsOf(output, name));
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const text of diagnostics) {
      expect(text).toContain("GET /v1/regions, which every API has, got the same answer");
      expect(text).toContain(`Check the base URL, ${baseUrl()} (the part before /v1)`);
      expect(text).toContain("cloudinfra doctor");
    }
  });

  it("a wrong base URL changes neither state nor objects", expectNothingLost);
});
