import type { Definition } from "../definition/types";
import { definitionOf } from "../dynamic/dynamic-resource";
import * as classes from "./classes";

/** The definitions of all resources, in the order of their types. */
export const definitions: readonly Definition[] = Object.values(classes)
  .map(definitionOf)
  .sort((one, other) => (one.type < other.type ? -1 : 1));
