import type * as entry from "../../index";
import { CostSummary as DynamicCostSummary } from "../../resources/cost-summary";
import { definitions } from "../../resources/definitions";
import { RotatingApiKey as DynamicRotatingApiKey } from "../../resources/rotating-api-key";
import { RotationSchedule as DynamicRotationSchedule } from "../../resources/rotation-schedule";
import { NAMESPACE } from "../../engine/settings-list";
import { inputsOf, optionsOf, refuseUnusable, resourceClass, urnOf, type Register } from "../../program/resource";
import { warnOfMissingPlugin } from "./missing-plugin";
import { checkConfiguration } from "../../program/running-program";
import { dynamicToken, nativeToken } from "../../engine/urn";
import { version } from "../../process/version";

/** The constructor's arguments for a resource of the plugin, which the engine finds by its version. */
export const registerNative: Register = (kind, name, args, options = {}) => {
  const token = nativeToken(kind.type);
  const warned = warnOfMissingPlugin();
  // The plugin checks the names of settings. Only the program knows whether the key is secret.
  checkConfiguration((key) => key === `${NAMESPACE}:apiKey`);
  refuseUnusable(kind, name, args, options);
  const usable = { version, ...optionsOf(options, dynamicToken(kind.type)) };
  const inputs = inputsOf(kind, args, options);
  // The SDK awaits the inputs before it calls the engine.
  const late = warned && { __program: warned.then(() => inputs["__program"] as unknown) };
  return { sent: [token, name, { ...inputs, ...late }, usable], urn: urnOf(token, name, options.parent) };
};

export const classes = Object.fromEntries(
  definitions.map((definition) => [definition.type, resourceClass(definition, registerNative)]),
) as unknown as Pick<typeof entry, "ApiKey">;

/** The component, whose keys are resources of the plugin. */
export const RotatingApiKey = nativeClass(DynamicRotatingApiKey, {
  parts: {
    ApiKey: classes.ApiKey,
    RotationSchedule: nativeClass(DynamicRotationSchedule, { register: registerNative }),
  },
});

export const CostSummary = nativeClass(DynamicCostSummary, { register: registerNative });

/**
 * A copy of the class with this front's static members. It is no subclass, because that would add a constructor between
 * the SDK's and the program.
 */
function nativeClass<Class extends object>(dynamicClass: Class, own: Readonly<Record<PropertyKey, unknown>>): Class {
  return new Proxy(dynamicClass, {
    get: (target, name, receiver) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(target, name, receiver)),
  });
}
