import { counts, succeeded } from "../../support/output";
import { declare, DYNAMIC, inDays, VPC_ID } from "../../support/programs";
import { destroy, preview, previewAndUp, unknownSecret, up, type Scenario } from "../scenario";

const outputs = `module.exports = { made: data.createdAt };`;
const data = `{ protect: true, additionalSecretOutputs: ["createdAt"] }`;
const deployer = `{ ignoreChanges: ["tags", "expiresAt"] }`;
const https = `{ replaceOnChanges: ["tags"], deleteBeforeReplace: true }`;
const link = `{ dependsOn: [deployer], retainOnDelete: true }`;

interface Args {
  readonly deployer?: object;
  readonly https?: object;
  readonly link?: object;
}

/** Two volumes in a component. */
const component = `class Site extends pulumi.ComponentResource {
  constructor(name, _args, options) {
    super("test:index:Site", name, {}, options);
    ${declare("Volume", "east", {}, "{ parent: this }")}
    ${declare("Volume", "west", {}, "{ parent: this }")}
    this.registerOutputs({});
  }
}`;

const program = (args: Args, httpsOptions = https): readonly string[] => [
  component,
  `const site = new Site("site", {}, { });`,
  declare("Volume", "data", {}, data),
  declare("ApiKey", "deployer", args.deployer, deployer),
  declare("FirewallRule", "https", args.https, httpsOptions),
  declare("ConnectConnection", "link", args.link, link),
  outputs,
];

const first = { https: { name: "https" } };
const second = { https: { name: "https", tags: ["new"] }, deployer: { expiresAt: inDays(30), tags: ["other"] } };
const third = { ...second, link: { bandwidthMbps: 200 } };
/** The same volumes with other names and aliases. */
const renamed = program(second).map((statement) =>
  statement.replace(/^(.*)"(\w+)", (.*), \{ (.*)\}\);$/, '$1"new-$2", $3, { aliases: [{ name: "$2" }], $4});'),
);

const RENAMED = "only its name or parent in the program changes";

/** Each of Pulumi's own options has its effect. */
export const options: Scenario = {
  title: "Pulumi's resource options",
  steps: [
    {
      title: "parent, dependsOn and additionalSecretOutputs reach the state",
      program: program(first),
      run: previewAndUp,
      shows: ({ session, output }) => {
        expect(output).toMatch(/made *: \[secret\]/);
        expect(session.one("data").outputs["createdAt"]).toHaveProperty("ciphertext");
        expect(session.one("link")).toMatchObject({ dependencies: [session.one("deployer").urn] });
        expect(session.one("east").urn).toContain("::test:index:Site$");
      },
      differs: unknownSecret("made"),
    },
    {
      title: "ignoreChanges prevents an update, and replaceOnChanges replaces",
      program: program(second),
      run: up,
      shows: ({ output, requests }) => {
        expect(counts(output)).toEqual(["+-1 replaced", "7 unchanged"]);
        const rules = requests.filter((request) => /^(POST|DELETE) .*firewall_rules(?!.*cost)/.test(request));
        expect(rules.map((request) => request.split(" ")[0])).toEqual(["DELETE", "POST"]);
      },
    },
    {
      title: "aliases rename resources without a request",
      program: renamed,
      run: preview,
      shows: ({ stage: { front }, output, requests }) => {
        expect(counts(output)).toEqual(front === DYNAMIC ? ["~ 1 to update", "7 unchanged"] : ["8 unchanged"]);
        expect(requests).toEqual([]);
      },
      differs: {
        reason:
          "The engine does not tell a dynamic provider the name of what it deletes, so the outputs of a key must have it.",
        lines: {
          screen: {
            dynamic: [
              `    ApiKey new-deployer  ${RENAMED}`,
              ` ~  ApiKey new-deployer update ${RENAMED}`,
              "7 unchanged",
              `new-deployer: ${RENAMED}`,
              "~ 1 to update",
            ],
            native: ["8 unchanged"],
          },
        },
      },
    },
    {
      title: "retainOnDelete keeps the old object of a replacement",
      program: program(third),
      run: up,
      shows: async ({ session }) => {
        expect((await session.api.held()).connections).toHaveLength(2);
      },
    },
    {
      title: "protect stops a destroy before its first request",
      run: (session) => session.destroy(["--target", session.one("data").urn]),
      fails: true,
      shows: ({ output, requests }) => {
        expect(output).toContain("protected");
        expect(requests).toEqual([]);
      },
    },
    {
      title: "changed customTimeouts change no object",
      program: program(third, https.replace("{", `{ customTimeouts: { update: "5m" },`)),
      run: up,
      differs: {
        reason:
          "The engine sends the time limits with each call to a plugin. A dynamic provider finds them in the state only.",
        lines: {
          screen: {
            dynamic: [" ~  FirewallRule https updated ", "7 unchanged", "~ 1 updated"],
            native: ["8 unchanged"],
          },
          requests: { dynamic: [`GET /v1/networking/vpcs/${VPC_ID}/firewall_rules → 200`], native: [] },
          state: {
            dynamic: [`https.inputs.__timeouts.update: "5m"`, `https.outputs.__timeouts.update: "5m"`],
            native: [],
          },
        },
      },
    },
    {
      title: "destroy deletes unprotected objects and keeps retained ones",
      first: async ({ session: { stack } }) => {
        succeeded(await stack.pulumi(["state", "unprotect", "--all", "--yes"]));
      },
      run: destroy,
      shows: async ({ session }) => {
        const { connections } = await session.api.held();
        expect(connections).toHaveLength(2);
        expect(await session.api.heldIds()).toHaveLength(2);
      },
    },
  ],
};
