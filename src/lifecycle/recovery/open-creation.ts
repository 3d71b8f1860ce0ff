import type { Mutation } from "../../api/client";
import type { Props } from "../kind/kind";
import type { SentCreation } from "./proof";

/** An open creation in the journal. */
export interface OpenCreation {
  readonly key: string;
  /** The token of its request, which the audit log shows. */
  readonly token: string;
  /** The facts to search for if its answer is lost. */
  sent(inputs: Props): Promise<SentCreation>;
  /** The API has answered with the id. Until it is handed over, no state has it. */
  accepted(id: string): Promise<void>;
  /** The engine gets the answer next. From now on a state may have the object, so no later run takes it up. */
  handOver(): Promise<void>;
  /** The resource is made again, or given up. The entry stays until the log shows what the creation made. */
  supersede(): Promise<void>;
  /** It is finished. */
  close(): Promise<void>;
}

/** A created object, and its entry in the journal. */
export interface MadeObject {
  readonly id: string;
  /** The API's announcement of the operation; `done` if nobody has the answer. */
  readonly mutation: Mutation<Props>;
  readonly creation: OpenCreation;
}
