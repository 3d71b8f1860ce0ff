import { z } from "zod";
import { openEnum } from "../schema";

/** RegionResponse (the specification names it without its fields): what a region offers. */
export const region = z.looseObject({
  name: z.string(),
  availability: openEnum("live", "preview", "maintenance", "sunset"),
  compute: z.looseObject({ vms: z.boolean() }),
  networking: z.looseObject({ connect: z.boolean(), vpcs: z.boolean() }),
  nks: z.looseObject({ autoscaling: z.boolean(), clusters: z.boolean() }),
  storage: z.looseObject({ abs: z.boolean(), local_nvme: z.boolean() }),
});
export type Region = z.infer<typeof region>;
