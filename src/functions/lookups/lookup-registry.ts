import { lookupsAmong } from "../lookup";
import * as functions from "./index";

/** The description of every lookup of this package, by its function's name. */
export const lookups = lookupsAmong(functions);
