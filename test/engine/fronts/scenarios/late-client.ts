import { partsOf, rowOf, diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { previewAndUp, up, type Scenario, type StepResult } from "../scenario";
import type { Stage } from "../stage";

const program = (rotationTrigger: number): readonly string[] => [
  declare("ApiKey", "ci", {
    permissions: [{ resourceType: "vpc", permission: "edit" }],
    rotationTrigger,
    deleteOld: { whenQuietFor: "24h", atLatest: "14d" },
  }),
  `module.exports = { key: ci.key };`,
];

/** A request of the late client, with its copy of the key. */
async function use({ session, ids }: Stage): Promise<void> {
  expect(await session.api.changeWith(ids["key"]!, "late-client/1.0")).toBe(202);
}

async function allDeleted({ stage, output }: StepResult): Promise<void> {
  expect(output).toContain("because nothing would manage it");
  expect(await stage.session.api.keyIds()).toEqual([]);
}

/** A key is rotated, and a client fetches the new one late. */
export const lateClient: Scenario = {
  title: "a client that fetches its key late",
  steps: [
    {
      title: "a client signs in with the first key",
      program: program(1),
      run: up,
      shows: async ({ stage }) => {
        stage.ids["old"] = stage.session.one("ci").id;
        stage.ids["key"] = String((await stage.session.stack.outputs())["key"]);
        await use(stage);
      },
    },
    {
      title: "a rotation keeps the old key for its clients",
      program: program(2),
      run: previewAndUp,
      shows: async ({ stage, session, output }) => {
        expect(rowOf(partsOf(output).update, "ci")).toContain("replaced");
        expect(partsOf(output).preview).toMatch(
          /the old API key stays until it has been quiet for 24h, and no longer than 14d/,
        );
        expect(partsOf(output).update).toContain(`API key ${stage.ids["old"]!} was replaced, and waits`);
        expect(await stage.session.api.keyIds()).toEqual([stage.ids["old"], session.one("ci").id].sort());
      },
    },
    {
      title: "keeps the old key while its client uses it",
      first: async (stage) => {
        await stage.session.api.advance("30h");
        await use(stage);
      },
      run: up,
      shows: async ({ stage, output }) => {
        expect(diagnosticsOf(output, "ci")).toMatch(
          /since its replacement it was used by 127\.0\.0\.1 \(late-client\/1\.0, 1 request/,
        );
        expect(await stage.session.api.keyIds()).toHaveLength(2);
      },
    },
    {
      title: "deletes the old key after a day without requests",
      first: ({ session }) => session.api.advance("24h"),
      run: up,
      shows: async ({ stage, session, output }) => {
        expect(diagnosticsOf(output, "ci")).toMatch(/deleted API key .*: the audit log shows no request of it since /);
        expect(await stage.session.api.keyIds()).toEqual([session.one("ci").id]);
      },
    },
    {
      title: "rotates the key a second time",
      program: program(3),
      run: up,
    },
    {
      title: "up --refresh deletes a removed key and its predecessor",
      program: [],
      run: (session) => session.up(["--refresh"]),
      shows: allDeleted,
    },
    { title: "creates the key that is declared again", program: program(4), run: up },
    { title: "rotates the key that was declared again", program: program(5), run: up },
    {
      title: "destroy --refresh deletes the key and its predecessor",
      run: (session) => session.destroy(["--refresh"]),
      shows: allDeleted,
    },
  ],
};
