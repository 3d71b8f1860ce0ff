import type { KindDescriptor } from "./descriptor";

export const project: KindDescriptor = {
  name: "shop",
  args: () => ({}),
  edited: () => ({}),
};
