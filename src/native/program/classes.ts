import type * as entry from "../../index";
import { resourceClass } from "../../program/resource";
import { definitions } from "../../resources/definitions";
import { RotatingApiKey as DynamicRotatingApiKey } from "../../resources/rotating-api-key";
import { RotationSchedule as DynamicRotationSchedule } from "../../resources/rotation-schedule";
import { registerNative } from "./register";

/** A class for each definition, by its type. */
export const classes = Object.fromEntries(
  definitions.map((definition) => [definition.type, resourceClass(definition, registerNative)]),
) as unknown as Pick<typeof entry, "ApiKey">;

class RotationSchedule extends DynamicRotationSchedule {
  protected static override readonly register = registerNative;
}

/** The pair of keys, made of resources of the plugin. */
export class RotatingApiKey extends DynamicRotatingApiKey {
  protected static override readonly parts = { ApiKey: classes.ApiKey, RotationSchedule };
}
