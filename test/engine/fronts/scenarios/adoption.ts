import { changesIn } from "../../../support/proxy/exchange";
import { makeByHand } from "../../support/by-hand";
import { counts, rowOf, diagnosticsOf } from "../../support/output";
import { declare, VPC_ID } from "../../support/programs";
import { paths } from "../../support/simulated-api";
import { preview, repeatedUnderStack, unknownSecret, up, type Scenario } from "../scenario";
import type { Stage } from "../stage";

const NOWHERE = "00000000-0000-4000-8000-00000000dead";
const tags = ["by-hand"];

const reading = ({ ids }: Stage): readonly string[] => [
  `const other = cloudinfra.ConnectConnection.get("other", "${ids["otherLink"]!}");`,
  `const both = cloudinfra.FirewallRule.get("both", "${VPC_ID}/${ids["otherRule"]!}");`,
];

/** Adopts everything, and refers to two objects that it does not manage. */
const adopting = (stage: Stage, { ids } = stage): readonly string[] => [
  declare("ApiKey", "known", { adopt: { id: ids["known"], key: ids["secret"] }, tags }),
  declare("ApiKey", "silent", { adopt: ids["silent"], tags }),
  declare("ConnectConnection", "link", { adopt: ids["link"], tags }),
  declare("FirewallRule", "https", { adopt: `${VPC_ID}/${ids["rule"]!}`, tags, destinationPorts: ["80"] }),
  ...reading(stage),
  `module.exports = { secret: known.key, bandwidth: other.bandwidthMbps, tags: other.tags, ports: both.destinationPorts };`,
];

/** One key, the connection under another name, and the rule as another one. */
const handedOver = (stage: Stage, link: object, { ids } = stage): readonly string[] => [
  ...reading(stage),
  declare("ApiKey", "known", { tags }),
  declare("ConnectConnection", "moved", { tags, ...link }),
  declare("FirewallRule", "https", { adopt: `${VPC_ID}/${ids["third"]!}`, tags }),
];

/** The objects that somebody made without Pulumi. */
export const adoption: Scenario = {
  title: "adopting existing objects",
  steps: [
    {
      title: "a get of a missing object names its id",
      first: async ({ session, ids }) => {
        const [own, others] = [await makeByHand(session.api), await makeByHand(session.api)];
        Object.assign(ids, { known: own.keyWithSecret.id, secret: own.keyWithSecret.key, silent: own.key });
        Object.assign(ids, { link: own.link, rule: own.rule, otherLink: others.link, otherRule: others.rule });
      },
      program: [`cloudinfra.ConnectConnection.get("gone", "${NOWHERE}");`],
      run: preview,
      fails: true,
      shows: ({ output }) => expect(diagnosticsOf(output, "gone")).toContain(NOWHERE),
      differs: repeatedUnderStack("test-dev: read failed: the resource's own line says why"),
    },
    {
      title: "the preview names adopted objects and their changes",
      program: adopting,
      run: preview,
      shows: ({ stage, output, requests }) => {
        expect(rowOf(output, "known")).toContain(`adopts ${stage.ids["known"]!}, changes nothing`);
        expect(diagnosticsOf(output, "https")).toContain("then changes destinationPorts: 443 → 80");
        expect(output).toMatch(/bandwidth *: 50/);
        expect(diagnosticsOf(output, "silent")).toMatch(/warning: .*is to be adopted without its secret/);
        expect(diagnosticsOf(output, "known")).not.toContain("without its secret");
        expect(changesIn(requests)).toEqual([]);
      },
      differs: unknownSecret("secret   "),
    },
    {
      title: "the update adopts objects and keeps the given secret",
      run: up,
      shows: ({ stage, session, output, requests }) => {
        expect(diagnosticsOf(output, "silent")).toMatch(/warning: .*was adopted without its secret/);
        expect(changesIn(requests)).toEqual([expect.stringMatching(/^PATCH .*\/firewall_rules\//)]);
        expect(session.one("other").external).toBe(true);
        expect(session.shownOutputs()["secret"]).toBe(stage.ids["secret"]);
        expect(output).not.toContain(stage.ids["secret"]);
      },
    },
    {
      title: "a further run reads changed objects and changes nothing",
      first: async ({ session, ids }) => {
        await session.api.call("PATCH", `${paths.connections}/${ids["otherLink"]!}`, { tags: ["theirs"] });
      },
      run: up,
      shows: ({ session, output, requests }) => {
        expect(counts(output)).toEqual(["5 unchanged"]);
        expect(session.outputs()["tags"]).toEqual(["theirs"]);
        expect(changesIn(requests)).toEqual([]);
      },
    },
    {
      title: "another resource adopts a removed resource's object",
      program: (stage) => handedOver(stage, { adopt: stage.ids["link"] }),
      first: async ({ session, ids }) => void (ids["third"] = (await makeByHand(session.api)).rule),
      run: up,
      shows: ({ stage: { ids }, session, output, requests }) => {
        expect(rowOf(output, "link")).toContain(`connect connection ${ids["link"]!} stays`);
        expect([session.one("moved").id, session.one("https").id]).toEqual([ids["link"], ids["third"]]);
        expect(
          changesIn(requests)
            .map((request) => request.replace(/\/[^/]+$/, ""))
            .sort(),
        ).toEqual([`DELETE ${paths.apiKeys}`, `DELETE ${session.api.rules}`]);
      },
    },
    {
      title: "replaces an adopted object that the program still adopts",
      program: (stage) => handedOver(stage, { adopt: stage.ids["link"], bandwidthMbps: 200 }),
      run: up,
      shows: ({ stage, session, requests }) => {
        expect(session.one("moved").id).not.toBe(stage.ids["link"]);
        expect(changesIn(requests).map((request) => request.split(" ")[0])).toEqual(["POST", "DELETE"]);
      },
    },
    {
      title: "removing adopt from the program changes nothing",
      program: (stage) => handedOver(stage, { bandwidthMbps: 200 }),
      run: preview,
      shows: ({ output, requests }) => {
        expect(counts(output)).toEqual(["4 unchanged"]);
        expect(changesIn(requests)).toEqual([]);
      },
    },
    {
      title: "down deletes adopted objects, and not those of get",
      run: (session) => session.stack.pulumi(["down", "--yes", "--non-interactive", "--skip-preview"]),
      shows: async ({ stage, session }) => {
        expect(session.kept()).toEqual([]);
        const { otherLink, otherRule } = stage.ids;
        expect(await session.api.heldIds()).toEqual(expect.arrayContaining([otherLink, otherRule]));
      },
    },
  ],
};
