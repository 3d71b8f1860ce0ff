import type { AutomaticPolicyArgs, BillingBooks, BillingEntry } from "./billing";
import type { Lifecycle, Stored } from "./lifecycle";
import { formatTimestamp } from "./timestamp";

/** The parts of the world in the books. */
export interface BillingHolder {
  find(key: string, id: string): Stored | undefined;
  kept(key: string, name: string): readonly Stored[];
  lifecycleOf(key: string): Lifecycle<Stored>;
}

type Members = Readonly<Record<string, unknown>>;

/** The parts of an organization's account: its history, its policy and its state. */
export function billingBooks(world: BillingHolder, organizationId: string): BillingBooks {
  const organization = (): Members | undefined => world.find("organizations", organizationId) as Members | undefined;
  return {
    entries: () => Array.from(world.kept("billingHistory", organizationId), (entry) => entry as BillingEntry),
    add: (entry) => {
      world.lifecycleOf("billingHistory").put(entry);
    },
    automaticPolicy() {
      const [policy] = world.kept("rechargePolicies", organizationId);
      const { policy: mode, policy_args: args } = (policy ?? {}) as Members;
      return mode === "automatic" ? (args as AutomaticPolicyArgs) : undefined;
    },
    organization: {
      id: organizationId,
      state: () => organization()?.["billing_state"] as string | undefined,
      enter(state, atMs) {
        const members = { billing_state: state, billing_state_since: formatTimestamp(atMs) };
        world.lifecycleOf("organizations").table.update(organizationId, members as Partial<Stored>);
      },
    },
  };
}
