import { cloudinfra } from "../../support/command";
import { killedAtFirstObject, openEntries } from "../../support/interruption";
import { succeeded } from "../../support/output";
import { declare } from "../../support/programs";
import type { Session } from "../../support/session";
import type { Scenario } from "../scenario";

/** `cloudinfra doctor --delete`, as a script calls it. */
async function deleted(session: Session, id: string): ReturnType<Session["up"]> {
  const { code, stdout, stderr } = await cloudinfra(session, ["doctor", "--delete", id, "--yes"]);
  return { code, stdout, stderr, output: stderr + stdout };
}

async function idOfVolume({ api }: Session): Promise<string> {
  return (await api.held()).volumes?.[0]?.id ?? "";
}

/** A person cleans up after a killed run. */
export const cleanUp: Scenario = {
  title: "the doctor deletes an object of a killed run",
  steps: [
    {
      title: "a run killed during a creation leaves an entry",
      program: [declare("Volume", "data")],
      first: ({ session: { api } }) => api.fault({ method: "POST", path: "/volumes$", delay: "10m" }),
      run: killedAtFirstObject,
      isCut: true,
      shows: ({ session }) => expect(openEntries(session)).toHaveLength(1),
    },
    {
      title: "doctor --delete deletes the object and closes its entry",
      first: async ({ session }) => {
        await session.api.clearFaults();
        session.cancel();
      },
      run: async (session) => deleted(session, await idOfVolume(session)),
      shows: async ({ session, output }) => {
        expect(output).toMatch(/^made for +resource "data" of the stack test\/dev/m);
        expect(output).toMatch(/The API no longer has volume \S+\. Its entry in the journal is closed\./);
        expect(output).not.toContain("is not known here");
        expect([await session.api.heldIds(), openEntries(session)]).toEqual([[], []]);
      },
    },
    {
      title: "doctor --delete refuses an object of a later run",
      run: async (session) => {
        expect(succeeded(await session.up())).not.toContain("An earlier run");
        return deleted(session, await idOfVolume(session));
      },
      fails: true,
      shows: async ({ session, output }) => {
        expect(output).toMatch(/has it as urn:pulumi:dev::test::.*Volume::data|No open entry of the journal names/);
        await session.expectAgreement();
      },
    },
  ],
};
