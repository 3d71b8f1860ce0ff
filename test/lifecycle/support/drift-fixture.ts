import { up } from "../../support/mini-engine";
import type { StateEntry } from "../../support/mini-state";
import { refresh } from "../../support/mini-refresh";
import { argsOf, collectionOf, World, type WireObject } from "../../support/world";
import { descriptorOf, madeTypes } from "../../kinds";
import type { Drift } from "../../kinds/descriptor";

/** A world in which somebody else changes objects of a kind. */
export class DriftBench {
  private constructor(readonly world: World) {}

  static forSuite(): DriftBench {
    return new DriftBench(World.forSuite());
  }

  argsFor(type: string): Record<string, unknown> {
    const tags = madeTypes.includes(type) && "tags" in descriptorOf(type).inputDrifts ? { tags: ["ours", "also"] } : {};
    return { ...argsOf(type, this.world.simulator), ...descriptorOf(type).lists, ...tags };
  }

  async made(type: string): Promise<StateEntry> {
    return (await up(this.world.run(), type, this.argsFor(type), undefined)).state;
  }

  /** Every object of a kind that the API holds, but for what was there from the start. */
  async held(type: string): Promise<WireObject[]> {
    return this.world.made(type);
  }

  async shownAtApi(type: string, id: string): Promise<WireObject> {
    const found = (await this.world.objects(type)).find((object) => object.id === id);
    if (!found) throw new Error(`the API has no ${type} ${id}`);
    return found;
  }

  /** Puts an object there, whatever the API itself would take. */
  async place(type: string, object: object): Promise<void> {
    await this.world.place(descriptorOf(type).collection, object);
  }

  async drift(type: string, id: string, { wire }: Pick<Drift, "wire">): Promise<void> {
    await this.place(type, { ...(await this.shownAtApi(type, id)), ...wire });
  }

  async delete(type: string, id: string): Promise<void> {
    await this.world.api("DELETE", `${collectionOf(type, this.world.simulator)}/${id}`);
    this.world.clock.advance(2_000); // its operation is done
  }

  /** The state after a refresh. Throws if the object no longer exists. */
  async refreshed(type: string, state: StateEntry): Promise<StateEntry> {
    const found = await refresh(this.world.run(), type, state);
    if (!found) throw new Error("the refresh says that it is gone");
    return found;
  }
}

/** An object without some of its members. */
export function withoutMembers(members: readonly string[], values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !members.includes(name)));
}
