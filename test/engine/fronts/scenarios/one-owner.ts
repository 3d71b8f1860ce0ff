import { changesIn } from "../../../support/proxy/exchange";
import { makeByHand } from "../../support/by-hand";
import { rowOf, diagnosticsOf } from "../../support/output";
import { declare, VPC_ID } from "../../support/programs";
import { destroy, preview, repeatedUnderStack, up, type Scenario, type StepResult } from "../scenario";
import type { Stage } from "../stage";

/** A resource for the one existing rule. The SDK registers it after its dependencies. */
const rule = ({ ids }: Stage, name: string, options?: string): string =>
  declare("FirewallRule", name, { adopt: `${VPC_ID}/${ids["rule"]!}`, tags: ["by-hand"] }, options);

/**
 * Expects that the error under this name says that the rule belongs to the other resource, and that nothing has
 * changed.
 */
const refuses =
  (name: string, other: string) =>
  ({ stage, output, requests }: StepResult): void => {
    const held = `firewall rule ${stage.ids["rule"]!} already belongs to the resource "${other}" of this program`;
    expect(diagnosticsOf(output, name)).toContain(held);
    expect(changesIn(requests)).toEqual([]);
  };

const DIFF_FAILED = repeatedUnderStack("test-dev: diff failed: the resource's own line says why");

/** Two resources of a stack never share an object, because the deletion of one would delete the object of the other. */
export const oneOwner: Scenario = {
  title: "one resource for each object",
  steps: [
    {
      title: "refuses two resources that adopt the same object",
      first: async ({ session, ids }) => void (ids["rule"] = (await makeByHand(session.api)).rule),
      program: (stage) => [rule(stage, "first"), rule(stage, "second", "{ dependsOn: [first] }")],
      run: preview,
      fails: true,
      shows: ({ stage, output, requests }) => {
        const both = `"second" and "first" of this program both take over firewall rule ${stage.ids["rule"]!}, and it can`;
        expect(diagnosticsOf(output, "second")).toContain(both);
        expect(changesIn(requests)).toEqual([]);
      },
    },
    {
      title: "adopts the object for one resource",
      program: (stage) => [rule(stage, "first")],
      run: up,
      shows: ({ session, stage }) => expect(session.one("first").id).toBe(stage.ids["rule"]),
    },
    {
      title: "fails a resource if another one adopts its object",
      program: (stage) => [rule(stage, "second"), rule(stage, "first", "{ dependsOn: [second] }")],
      run: up,
      fails: true,
      shows: (played) => {
        refuses("first", "second")(played);
        expect(played.session.one("second").id).toBe(played.session.one("first").id);
      },
      differs: DIFF_FAILED,
    },
    {
      title: "removing one of two resources keeps their object",
      program: (stage) => [rule(stage, "second")],
      run: up,
      shows: ({ session, stage, output, requests }) => {
        expect(rowOf(output, "first")).toContain('stays: it belongs to the resource "second" too');
        expect(requests.filter((request) => request.startsWith("DELETE"))).toEqual([]);
        expect(session.kept().map(({ id }) => id)).toEqual([stage.ids["rule"]]);
      },
    },
    {
      title: "destroy deletes the object of the last resource",
      run: destroy,
      shows: async ({ session, stage }) => {
        expect(session.kept()).toEqual([]);
        expect(await session.api.heldIds()).not.toContain(stage.ids["rule"]);
      },
    },
  ],
};
