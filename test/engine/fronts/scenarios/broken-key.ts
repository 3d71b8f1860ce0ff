import { diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { up, type StepResult, type Scenario } from "../scenario";
import type { Stage } from "../stage";

const permissions = [{ resourceType: "vpc", permission: "edit" }];
const key = (rotationTrigger: number): string => declare("ApiKey", "ci", { permissions, rotationTrigger });
const pair = `new cloudinfra.RotatingApiKey("two", ${JSON.stringify({ permissions, period: "30d" })});`;
const shown = "module.exports = { key: ci.key };";

const refuse = ({ session }: Stage): Promise<void> =>
  session.api.fault({ method: "GET", path: "/v1/networking/vpcs$", status: 403, times: 40 });

async function onlyTheOldKeyWorks({ stage, session, output }: StepResult): Promise<void> {
  expect(output).toMatch(/refuses it\. It should be allowed to read VPCs, and the answer was 403 AUTHORIZATION_ERROR/);
  expect(output).toContain("This run has deleted it again.");
  expect(await stage.session.api.keyIds()).toEqual([stage.ids["old"]]);
  expect(session.one("ci").id).toBe(stage.ids["old"]);
  expect(await session.api.signIn(stage.ids["key"]!)).toBe(200);
}

/** Every new key is tried before anything depends on it. */
export const brokenKey: Scenario = {
  title: "a new key that does not work",
  steps: [
    {
      title: "tries the first key and reports that it works",
      program: [key(1), shown],
      run: up,
      shows: async ({ stage, session, output }) => {
        stage.ids["old"] = session.one("ci").id;
        stage.ids["key"] = String((await session.stack.outputs())["key"]);
        expect(diagnosticsOf(output, "ci")).toMatch(/the new key \S+ works: it may read VPCs/);
        expect(output).not.toContain(stage.ids["key"]);
      },
    },
    {
      title: "keeps the old key if its successor is refused",
      first: refuse,
      program: [key(2), shown],
      run: up,
      fails: true,
      shows: onlyTheOldKeyWorks,
    },
    {
      title: "deletes the refused keys of a RotatingApiKey",
      first: refuse,
      program: [key(1), pair, shown],
      run: up,
      fails: true,
      shows: onlyTheOldKeyWorks,
    },
    {
      title: "rotates the key when new keys work again",
      first: ({ session }) => session.api.clearFaults(),
      program: [key(2), pair, shown],
      run: up,
      shows: async ({ stage, session, output }) => {
        expect(session.one("ci").id).not.toBe(stage.ids["old"]);
        expect(diagnosticsOf(output, "two-a")).toMatch(/the new key \S+ works: it may read VPCs/);
        expect(await stage.session.api.keyIds()).toHaveLength(3);
      },
    },
  ],
};
