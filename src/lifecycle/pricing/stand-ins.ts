import type { Api } from "../../api/client";
import type { Settings } from "../../settings/config";
import { containsUnknown } from "../../engine/values";
import { collectionAt } from "../kind/collection-at";
import type { Props, ResourceKind } from "../kind/kind";
import type { PreflightRequests } from "../../api/advisory-requests";

interface StandInTools {
  readonly api: Api;
  readonly settings: Settings;
  readonly preflight: PreflightRequests;
}

/**
 * A quote leads through a parent, such as the VPC of a rule. In place of a parent that this run makes, another one of its region
 * stands: the price does not depend on which one.
 */
export class StandIns {
  /** The regions of the objects that this run makes, by type. */
  readonly #regions = new Map<string, Set<unknown>>();
  readonly #parents = new Map<string, Promise<Props | undefined>>();

  constructor(private readonly run: StandInTools) {}

  noteNew({ type }: Pick<ResourceKind, "type">, { region }: Props): void {
    const regions = this.#regions.get(type) ?? new Set();
    this.#regions.set(type, regions.add(region));
  }

  /** The inputs for a quote under another parent. Undefined if the parent exists, or if no other is known to have the same price. */
  async inputsFor({ standIn, pathFields }: ResourceKind, inputs: Props): Promise<Props | undefined> {
    if (standIn === undefined || !pathFields.some((field) => containsUnknown(inputs[field]))) return undefined;
    const [region, another] = this.#regions.get(standIn.of.type) ?? [];
    // The parent is one of those that the run makes. If their regions differ, nobody knows which one's price is meant.
    if (typeof region !== "string" || containsUnknown(region) || another !== undefined) return undefined;
    const key = `${standIn.of.type} ${region}`;
    const asked = this.#parents.get(key) ?? this.#find(standIn, region);
    this.#parents.set(key, asked);
    const parent = await asked;
    return parent && standIn.inputs(parent);
  }

  async #find(standIn: NonNullable<ResourceKind["standIn"]>, region: string): Promise<Props | undefined> {
    const { api, preflight, settings } = this.run;
    const { projectId } = settings;
    if (projectId === undefined) return undefined;
    const reply = await preflight.ask("parents", async (call) => {
      const purpose = `look for another ${standIn.of.type} to ask for a price`;
      for await (const parent of collectionAt(api, standIn.of, { projectId }).list({ ...call, purpose })) {
        if (parent["region"] === region && parent["status"] === "ready") return parent;
      }
      return undefined;
    });
    return reply.status === "answered" ? reply.answer : undefined;
  }
}
