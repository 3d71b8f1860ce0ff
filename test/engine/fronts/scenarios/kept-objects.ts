import { otherStorage } from "../../../kinds/volume";
import { answer } from "../../../support/proxy/actions";
import { rowOf, diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { preview, repeatedUnderStack, up, type Scenario } from "../scenario";
import type { Stage } from "../stage";

const adopting = ({ ids }: Stage, name: string, options?: string): string =>
  declare("Volume", name, { adopt: ids["data"]! }, options);

const isThere = async ({ session, ids }: Stage): Promise<void> =>
  expect(await session.api.heldIds()).toContain(ids["data"]);

const creations = { method: "POST", path: /^\/v1\/compute\/volumes$/ };

/** An object stays while the program still uses it. */
export const keptObjects: Scenario = {
  title: "an object that the program still has",
  steps: [
    {
      title: "creates a volume",
      program: [declare("Volume", "data")],
      run: up,
      shows: ({ session, stage }) => void (stage.ids["data"] = session.one("data").id),
    },
    {
      title: "refuses to adopt an object that the run replaces",
      program: (stage) => [
        declare("Volume", "data", { type: otherStorage }, "{ deleteBeforeReplace: true }"),
        adopting(stage, "copy", "{ dependsOn: [data] }"),
      ],
      run: preview,
      fails: true,
      shows: ({ output }) =>
        expect(diagnosticsOf(output, "copy")).toContain(
          'belongs to the resource "data" of this program, which this run replaces: the run may delete the object first. Take "data" out of the program for one run: the object then stays for "copy"',
        ),
    },
    {
      title: "keeps an object that the program still reads",
      program: ({ ids }) => [`cloudinfra.Volume.get("copy", "${ids["data"]!}");`],
      run: up,
      fails: true,
      shows: async ({ stage, output }) => {
        expect(diagnosticsOf(output, "data")).toContain(
          'was not deleted, because the program still reads it with the get "copy"',
        );
        await isThere(stage);
      },
      differs: repeatedUnderStack("test-dev: delete failed: the resource's own line says why"),
    },
    {
      title: "a failed self-replacement keeps the object",
      first: ({ proxy }) => {
        proxy.on(creations, answer(400));
        return Promise.resolve();
      },
      program: (stage) => [adopting(stage, "data"), declare("Volume", "later", {}, "{ dependsOn: [data] }")],
      run: (session) => session.up(["--replace", session.one("data").urn]),
      fails: true,
      shows: async ({ session, stage }) => {
        const managed = session.kept().filter(({ external }) => external !== true);
        expect(managed.map(({ id }) => id)).toEqual([stage.ids["data"], stage.ids["data"]]);
        await isThere(stage);
      },
    },
    {
      title: "the next run keeps an object that replaced itself",
      first: ({ proxy }) => {
        proxy.clear();
        return Promise.resolve();
      },
      run: up,
      shows: async ({ session, stage, output }) => {
        expect(rowOf(output, "data")).toContain(`volume ${stage.ids["data"]!} stays: the resource still has it`);
        expect(session.one("data").id).toBe(stage.ids["data"]);
        await isThere(stage);
      },
    },
    {
      title: "destroy --run-program deletes an object that is also read",
      program: (stage) => [adopting(stage, "data"), `cloudinfra.Volume.get("copy", data.id);`],
      run: (session) => session.destroy(["--run-program"]),
      shows: async ({ session, stage }) => {
        expect(session.kept()).toEqual([]);
        expect(await session.api.heldIds()).not.toContain(stage.ids["data"]);
      },
    },
  ],
};
