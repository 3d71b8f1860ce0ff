import type { JournalEntry } from "../../src/journal/journal";

/** An entry as a run writes it, and what is to be different about it. */
export function journalEntry(different: Partial<JournalEntry> = {}): JournalEntry {
  return {
    version: 1,
    key: "00000000-0000-4000-8000-00000000000a",
    stack: { backend: "file:///state", baseUrl: "https://api.example", project: "test", stack: "dev" },
    urn: "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:FirewallRule::https",
    type: "FirewallRule",
    noun: "firewall rule",
    name: "https-0123abc",
    isChosenName: true,
    generation: 0,
    place: { vpcId: "vpc" },
    fingerprint: "0",
    sentAt: "2026-06-15T12:00:00.000Z",
    sentUntil: "2026-06-15T12:02:00.000Z",
    pid: process.pid,
    ...different,
  };
}
