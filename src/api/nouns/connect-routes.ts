import { z } from "zod";

/** Specification section 2.7, ConnectRoute: which region of a provider can be linked with which of the platform. */
export const connectRoute = z.looseObject({
  platform_region: z.string(),
  provider: z.string(),
  provider_region: z.string(),
});
export type ConnectRoute = z.infer<typeof connectRoute>;
