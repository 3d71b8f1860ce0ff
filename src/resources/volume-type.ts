import { words } from "../definition/enumeration";
import type { QuotaUse } from "../definition/quotas";

/** VolumeType of the public clients. */
export const VOLUME_TYPE = words("VolumeType", "A kind of storage.", {
  nvme: "NVMe disks of the machine itself.",
  abs: "Block storage on the network.",
});

/** The quota for each kind of storage. */
const quotas = { nvme: "storage.local_nvme", abs: "storage.abs" } as const;

/** The storage quotas that volumes need. */
export function storageUse(
  volumes: readonly { readonly type?: string | undefined; readonly size?: number | undefined }[],
): QuotaUse {
  const sizeOf = (type: string): number =>
    volumes.reduce((sum, volume) => sum + (volume.type === type ? (volume.size ?? 0) : 0), 0);
  return Object.fromEntries(Object.entries(quotas).map(([type, quota]) => [quota, sizeOf(type)]));
}
