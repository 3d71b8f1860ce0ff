import { hashSecret } from "./api-keys";
import type { Caller } from "./permissions";
import { seededIds } from "./seed";
import type { SimulatedClock } from "./simulated-clock";
import { sourceIpCheck, type SourceIpCheck, type SourceIpRule } from "./source-ip-rule";

/**
 * The owner of the organization. The owner key signs in like a session of the dashboard (section 5.4, rule 4).
 * It is no API key object, has no window, cannot be deleted, and is in no list.
 */
export class OwnerSettings {
  readonly user = { id: seededIds.owner, email: "owner@example.invalid", first_name: "Olive", last_name: "Owner" };
  readonly caller: Caller = {
    actor: { id: seededIds.owner, name: "owner", type: "user" },
    isOwner: true,
    may: () => true,
    reaches: () => true,
    mayComeFrom: (clientIp) => this.#check(clientIp),
  };
  readonly createdAtMs: number;
  updatedAtMs: number;
  #rule: SourceIpRule = { allowed: [], blocked: [] };
  #check: SourceIpCheck = sourceIpCheck(this.#rule);

  readonly #secretHash: string;

  constructor(clock: SimulatedClock, secret: string) {
    this.#secretHash = hashSecret(secret);
    this.createdAtMs = this.updatedAtMs = clock.now();
  }

  hasSecret(hash: string): boolean {
    return hash === this.#secretHash;
  }

  get sourceIpRule(): SourceIpRule {
    return this.#rule;
  }

  changeSourceIpRule(rule: SourceIpRule, atMs: number): void {
    this.#rule = rule;
    this.#check = sourceIpCheck(rule);
    this.updatedAtMs = atMs;
  }
}
