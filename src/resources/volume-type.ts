import { words } from "../definition/enumeration";

/** VolumeType of the public clients. */
export const VOLUME_TYPE = words("VolumeType", "A kind of storage.", {
  nvme: "NVMe disks of the machine itself.",
  abs: "Block storage on the network.",
});
