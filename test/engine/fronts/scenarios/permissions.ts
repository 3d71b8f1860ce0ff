import { partsOf } from "../../support/output";
import { declare, inDays } from "../../support/programs";
import { paths } from "../../support/simulated-api";
import { preview, previewAndUp, up, type Scenario } from "../scenario";
import type { Stage } from "../stage";

/** Makes a key with one level for each type that the program needs, and signs in with it. */
const signInWith =
  (level: "read" | "edit", others: object = {}) =>
  async ({ session: { api, stack } }: Stage): Promise<void> => {
    const { key } = await api.call("POST", paths.apiKeys, {
      name: level,
      project_ids: [api.simulator.projectId],
      permissions: ["vpc", "volume"].map((resource_type) => ({ resource_type, permission: level })),
      expires_at: inDays(30),
      ...others,
    });
    stack.env["CLOUDINFRA_API_KEY"] = String(key);
  };

/** A key that may read itself, and expires in an hour. */
const signInUntilSoon = (stage: Stage): Promise<void> =>
  signInWith("edit", {
    permissions: [
      ...["vpc", "volume"].map((resource_type) => ({ resource_type, permission: "edit" })),
      ...["audit_log", "api_key"].map((resource_type) => ({ resource_type, permission: "read" })),
    ],
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  })(stage);

const changes = (requests: readonly string[]): readonly string[] =>
  requests.filter((request) => !request.startsWith("GET ") && !/\/(cost|availability)$/.test(request));
const program = (size: number): readonly string[] => [declare("Vpc", "net"), declare("Volume", "data", { size })];
const TABLE = /lacking +needed by\n +volume:edit +Volume data\n +vpc:edit +Vpc net\n/;

/** A key that may only read. Many teams use one for their previews. */
export const permissions: Scenario = {
  title: "the permissions of the API key",
  steps: [
    {
      title: "the preview names permissions that a read-only key lacks",
      program: program(20),
      first: signInWith("read"),
      run: preview,
      shows: ({ output, requests }) => {
        expect(output).toMatch(TABLE);
        expect(output).toContain("+$2.00/mo");
        const unknown = partsOf(output).preview.match(/The preview does not know when the API key expires/g);
        expect(unknown).toHaveLength(2); // once more under "Diagnostics"
        expect(changes(requests)).toHaveLength(2);
        expect(changes(requests).every((request) => /^PATCH .*0{8}-/.test(request))).toBe(true);
      },
    },
    {
      title: "a lacking permission fails the preview if so configured",
      first: ({ session }) => session.stack.setConfig("cloudinfra:permissions", "fail"),
      program: [declare("Vpc", "net")],
      run: preview,
      fails: true,
      shows: ({ output }) => expect(output).toContain("the API key lacks vpc:edit, so the update would fail with 403"),
    },
    {
      title: "the preview warns once that the key expires soon",
      first: signInUntilSoon,
      program: program(20),
      run: previewAndUp,
      shows: ({ output }) => {
        const warnings = partsOf(output).preview.match(/The API key from .* expires in .*\n?.*Make a new key/g);
        expect(warnings).toHaveLength(2); // and under "Diagnostics"
        expect(output).not.toContain("lacks");
      },
    },
    {
      title: "an update without permissions fails with 403",
      first: async (stage) => {
        await stage.session.stack.setConfig("cloudinfra:permissions", "warn");
        await signInWith("read")(stage);
      },
      program: program(30),
      run: up,
      fails: true,
      shows: async ({ output, session }) => {
        expect(output).toMatch(/data.*403 AUTHORIZATION_ERROR/s);
        expect((await session.api.held()).volumes).toMatchObject([{ size: 20 }]);
      },
    },
  ],
};
