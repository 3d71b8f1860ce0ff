import type { Definition } from "../definition/types";
import {
  inputsOf,
  optionsOf,
  refuseMisplacedArguments,
  refuseWaitingForSummary,
  resourceClass,
  urnOf,
  type Register,
} from "../program/resource";
import type { ResourceClass } from "../program/resource-types";
import { isMocked, checkConfiguration } from "../program/running-program";
import { loaderOf, PACKAGE } from "../state/loader";
import { dynamicToken, nativeToken } from "../engine/urn";
import { requireLoadable } from "./loadable";
import { refuseUnusableOptions } from "./resource-options";
import { secretArguments } from "./secret-arguments";

/** The constructor's arguments for a dynamic resource whose provider is loaded, not serialized. */
export const registerDynamic: Register = (kind, name, args, options = {}) => {
  const { type } = kind;
  const token = dynamicToken(type);
  refuseUnusableOptions(token, name, "path" in kind, options);
  if (!isMocked()) requireLoadable(PACKAGE);
  checkConfiguration();
  refuseMisplacedArguments(kind, name, args, options);
  refuseWaitingForSummary(kind, name, args, options);
  const urn = urnOf(token, name, options.parent);
  const props = {
    ...inputsOf(kind, args, options),
    __secrets: secretArguments(args),
    __provider: loaderOf(type),
    __urn: urn,
  };
  return { sent: [token, name, props, optionsOf(options, nativeToken(type))], urn };
};

export function resource<D extends Definition, Instance, Args>(definition: D): ResourceClass<D, Instance, Args> {
  return resourceClass(definition, registerDynamic);
}
