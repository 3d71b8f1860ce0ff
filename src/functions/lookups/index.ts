import type { Lookup } from "../lookup";
import { billing } from "./billing";
import { compute } from "./compute";
import { networking } from "./networking";
import { nks } from "./nks";
import { organization } from "./organization";
import { places } from "./places";

/** Every lookup of this package, by its function's name. */
export const lookups: Readonly<Record<string, Lookup>> = {
  ...compute,
  ...networking,
  ...nks,
  ...organization,
  ...billing,
  ...places,
};
