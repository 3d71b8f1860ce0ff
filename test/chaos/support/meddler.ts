import type { KeptResource } from "../../support/mini-state";
import type { Meddling } from "./schedule";
import type { Kept, Service } from "./service";

const yes = (): boolean => true;
const no = (): boolean => false; // the VM is being deleted
const OPERATION_MS = 2_000;
/** After this time lists show it too. */
const LAG_MS = 20_000;
const VOLUMES = "/v1/compute/volumes";

/** Changes data volumes of VMs as another person would, and undoes it. */
export class Meddler {
  /** How it is undone, by the id of the VM. Undefined if it cannot be. */
  readonly #deeds = new Map<string, (() => Promise<unknown>) | undefined>();

  constructor(private readonly service: Service) {}

  /** Meddles with the first VM of a state that has a data volume. Resolves with whether there was one. */
  async meddle(what: Meddling, state: readonly KeptResource[]): Promise<boolean> {
    const { service } = this;
    service.world.operations.applyDue();
    for (const { id: vmId } of state) {
      const volume = service.volumesOf(vmId).find(({ kind }) => kind === "data");
      if (volume === undefined || this.#deeds.has(vmId)) continue;
      this.#deeds.set(vmId, await this.#change(what, volume, vmId));
      this.#pass();
      return true;
    }
    return false;
  }

  /** Undoes what was done to a VM. Resolves with whether that was possible; undefined if nothing was done to it. */
  async undo(vmId: string): Promise<boolean | undefined> {
    if (!this.#deeds.has(vmId)) return undefined;
    const undo = this.#deeds.get(vmId);
    const isUndone = undo !== undefined && (await undo().then(yes, no));
    this.#deeds.set(vmId, undefined); // a state that has been refreshed meanwhile does not know the volume again
    this.#pass();
    return isUndone;
  }

  /** Lets a change take effect and become visible. */
  #pass(): void {
    const { service } = this;
    service.advance(OPERATION_MS);
    service.world.operations.applyDue();
    service.advance(LAG_MS);
  }

  async #change(what: Meddling, { id, name, size }: Kept, vmId: string): Promise<(() => Promise<unknown>) | undefined> {
    const { service } = this;
    const path = `${VOLUMES}/${id}`;
    switch (what) {
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
