import { rewrite } from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { openEntries } from "./support/interruption";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, FRONTS, programOf, type Front } from "./support/programs";

// Each test has its own API. They run at the same time, because they mostly wait.

const creations = { method: "POST", path: /^\/v1\/api_keys$/ };

/** A stack whose program now rotates a key, and the old key. The answer to the new key's creation has these values. */
async function rotating(front: Front, values: object): Promise<Stage & { readonly oldKey: string }> {
  const stage = await Stage.open(front, { config: { "cloudinfra:preflight": "off" } });
  const { session, proxy } = stage;
  session.stack.write(programOf(front, declare("ApiKey", "deployer", { rotationTrigger: "1" })));
  succeeded(await session.up());
  const oldKey = String(session.shownOutputsOf("deployer")["key"]);
  proxy.on(
    creations,
    rewrite((body) => ({ ...body, ...values })),
  );
  session.stack.write(programOf(front, declare("ApiKey", "deployer", { rotationTrigger: "2" })));
  return Object.assign(stage, { oldKey });
}

describe.each(FRONTS)("a rotation of %s", (front) => {
  it.concurrent("keeps the secret of a new pending key", async () => {
    const { session, oldKey } = await rotating(front, { status: "pending" });
    succeeded(await session.up());
    const newKey = String(session.shownOutputsOf("deployer")["key"]);
    expect(newKey).not.toBe(oldKey);
    expect(await session.api.signIn(newKey)).toBe(200);
    await session.expectAgreement();
  });

  it.concurrent.each([{ key: undefined }, { key: null }])(
    "keeps the old key if the new key is answered with %j",
    async (lost) => {
      const { session, proxy, oldKey } = await rotating(front, lost);
      expect(diagnosticsOf(failed(await session.up()), "deployer")).toMatch(
        /answered the creation of API key \S+ without its key/,
      );
      expect(session.shownOutputsOf("deployer")["key"]).toBe(oldKey);
      expect(await session.api.signIn(oldKey)).toBe(200);
      await session.expectAgreement();

      proxy.clear();
      succeeded(await session.up());
      const newKey = String(session.shownOutputsOf("deployer")["key"]);
      expect([await session.api.signIn(newKey), openEntries(session).length]).toEqual([200, 1]);
      await session.expectAgreement();
    },
  );
});
