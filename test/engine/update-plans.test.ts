import { counts, succeeded } from "./support/output";
import { ALL, inDays, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";

let session: Session;

beforeAll(async () => {
  session = await Session.start(program(oneOfEach()), { env: { PULUMI_EXPERIMENTAL: "1" } });
});

/** Previews with a saved plan, and brings exactly that plan up. */
async function upAsPlanned(): Promise<string> {
  succeeded(await session.stack.preview(["--save-plan", "plan.json"]));
  return succeeded(await session.stack.up(["--skip-preview", "--plan", "plan.json"]));
}

it("when new resources are planned, the update keeps to the plan", async () => {
  expect(counts(await upAsPlanned())).toEqual([`+ ${ALL} created`]);
  await session.expectAgreement();
});

it("when updates and replacements are planned, the update keeps to the plan", async () => {
  session.stack.write(
    program(
      oneOfEach({
        ApiKey: { expiresAt: inDays(100) },
        ConnectConnection: { bandwidthMbps: 200 },
        FirewallRule: { tags: ["new"] },
      }),
    ),
  );
  expect(counts(await upAsPlanned())).toContain("+-2 replaced");
  await session.expectAgreement();
});

it("when everything changes under --strict, the update keeps to what its preview said", async () => {
  session.stack.write(
    program(
      oneOfEach({
        ApiKey: { expiresAt: inDays(110), tags: ["t"] },
        ConnectConnection: { bandwidthMbps: 500 },
        FirewallRule: { tags: [] },
      }),
    ),
  );
  const output = succeeded(await session.stack.up(["--strict"]));
  expect(output).not.toContain("violates plan");
  expect((await session.api.held()).connections).toEqual([expect.objectContaining({ bandwidth_mbps: 500 })]);
  await session.expectAgreement();
});
