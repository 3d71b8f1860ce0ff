import type { KeptResource } from "../../support/mini-state";
import type { Meddling } from "./schedule";
import type { WireObject } from "../../support/simulator-client";
import type { Service } from "./service";

const yes = (): boolean => true;
const no = (): boolean => false; // the VM is being deleted
const OPERATION_MS = 2_000;
/** After this time, lists show the change too. */
const LAG_MS = 20_000;
const VOLUMES = "/v1/compute/volumes";

/** Changes data volumes of VMs as another person would, and reverts that. */
export class Meddler {
  /** How to revert each change, by the id of the VM. Undefined if that is impossible. */
  readonly #deeds = new Map<string, (() => Promise<unknown>) | undefined>();

  constructor(private readonly service: Service) {}

  /** Changes the first VM of a state that has a data volume. Resolves with false if there is none. */
  async meddle(deed: Meddling, state: readonly KeptResource[]): Promise<boolean> {
    const { service } = this;
    service.world.operations.applyDue();
    for (const { id: vmId } of state) {
      const volume = service.volumesOf(vmId).find(({ kind }) => kind === "data");
      if (volume === undefined || this.#deeds.has(vmId)) continue;
      this.#deeds.set(vmId, await this.#change(deed, volume, vmId));
      this.#pass();
      return true;
    }
    return false;
  }

  /** Reverts the change of a VM. Resolves with true if that was possible. Undefined if the VM was not changed. */
  async undo(vmId: string): Promise<boolean | undefined> {
    if (!this.#deeds.has(vmId)) return undefined;
    const undo = this.#deeds.get(vmId);
    const isUndone = undo !== undefined && (await undo().then(yes, no));
    this.#deeds.set(vmId, undefined); // After a refresh, the state no longer knows the volume.
    this.#pass();
    return isUndone;
  }

  /** Waits until a change takes effect and is visible. */
  #pass(): void {
    const { service } = this;
    service.advance(OPERATION_MS);
    service.world.operations.applyDue();
    service.advance(LAG_MS);
  }

  async #change(
    deed: Meddling,
    { id, name, size }: WireObject,
    vmId: string,
  ): Promise<(() => Promise<unknown>) | undefined> {
    const { service } = this;
    const path = `${VOLUMES}/${id}`;
    switch (deed) {
      case "renamed":
        await service.call("PATCH", path, { name: "theirs" });
        return () => service.call("PATCH", path, { name });
      case "detached":
        await service.call("POST", `${path}/detach`, {});
        return () => service.call("POST", `${path}/attach`, { vm_id: vmId });
      case "deleted":
        await service.call("DELETE", path);
        return undefined;
      case "grown":
        await service.call("PATCH", path, { size: Number(size) + 100 });
        return undefined;
    }
  }
}
