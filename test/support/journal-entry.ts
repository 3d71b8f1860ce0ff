import type { JournalEntry } from "../../src/journal/entry";
import { thisProcess } from "../../src/process/process-identity";

/** An entry as a run writes it, with these members changed. */
export function journalEntry(different: Partial<JournalEntry> = {}): JournalEntry {
  return {
    version: 1,
    key: "0000000000000000000000000000000a",
    token: "0000000000000000000000000000000a",
    stack: { backend: "file:///state", baseUrl: "https://api.example", project: "test", stack: "dev" },
    urn: "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:FirewallRule::https",
    type: "FirewallRule",
    noun: "firewall rule",
    name: "https-0123abc",
    pathInputs: { vpcId: "vpc" },
    fingerprint: "0",
    sentAt: "2026-06-15T12:00:00.000Z",
    sentHereAt: "2026-06-15T12:00:00.000Z",
    sender: thisProcess(),
    ...different,
  };
}
