import type * as pulumi from "@pulumi/pulumi";
import { ConfigurationError } from "../api/cloudinfra-error";

/** The inputs of a resource as check returns them: plain values, with a name, and without `adopt`. */
export type InputsOf<Args> = { readonly [Field in keyof Omit<Args, "adopt" | "name">]: pulumi.Unwrap<Args[Field]> } & {
  readonly name: string;
};

/** A member that the path needs. It is missing only where a reference by id does not give it. */
export function required(value: string | undefined, field: string, id: string): string {
  if (value !== undefined && value !== "") return value;
  throw new ConfigurationError(`To find ${id} its ${field} is needed: give it beside the id, or as "<${field}>/<id>".`);
}
