import type { Definition } from "./definition";

/** A separate request that changes a field: POST `<object>/<verb>`. */
export interface Action {
  readonly verb: string;
  readonly body?: object;
}

/** An object that a resource is made with. Its own endpoints show and change it. */
export interface Part {
  /** Its kind. Its collection is listed by the same input. */
  readonly of: Definition;
  /** The member of a response that has its id, or the ids if the field is a list: `boot_volume_id`. */
  readonly idAt: string;
}
