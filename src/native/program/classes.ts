import type * as entry from "../../index";
import { resourceClass } from "../../program/resource";
import { CostSummary as DynamicCostSummary } from "../../resources/cost-summary";
import { definitions } from "../../resources/definitions";
import { RotatingApiKey as DynamicRotatingApiKey } from "../../resources/rotating-api-key";
import { RotationSchedule as DynamicRotationSchedule } from "../../resources/rotation-schedule";
import { registerNative } from "./register";

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
 * A copy of the class with this front's static members. It is no subclass, because that would add a constructor between the SDK's and
 * the program.
 */
function nativeClass<Class extends object>(dynamicClass: Class, own: Readonly<Record<PropertyKey, unknown>>): Class {
  return new Proxy(dynamicClass, {
    get: (target, name, receiver) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(target, name, receiver)),
  });
}
