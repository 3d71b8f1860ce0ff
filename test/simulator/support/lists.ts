import { type Harness, type Json, ruleRequest } from "./harness";
import { firewallRulesOf } from "./paths";

/** A page of a list. */
export interface Page {
  readonly names: readonly unknown[];
  readonly next: string | null;
  readonly previous: string | null;
  readonly total: unknown;
}

/** Reads a page. Fails if the answer is not 200. */
export async function readPage(api: Harness, path: string): Promise<Page> {
  const { status, body } = await api.call("GET", path);
  expect(status).toBe(200);
  const { next_cursor, previous_cursor, total_count } = body["pagination"] as Json;
  return {
    names: (body["items"] as Json[]).map(({ name }) => name),
    next: next_cursor as string | null,
    previous: previous_cursor as string | null,
    total: total_count,
  };
}

/** Adds firewall rules to the seeded VPC, alternately even and odd, and returns their ids. */
export async function addRulesTo(api: Harness, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { ...ruleRequest, name: `rule-${index}`, tags: [index % 2 === 0 ? "even" : "odd", "all"] };
    ids.push(String((await api.call("POST", firewallRulesOf(api.vpcId), { body })).body["resource_id"]));
  }
  return ids;
}
