import type { Props } from "../kind";
import type { SentCreation } from "./proof";

/** An open creation in the journal. */
export interface OpenCreation {
  readonly key: string;
  /** The token of its request, which the audit log shows. */
  readonly token: string;
  /** The facts to search for if its answer is lost. */
  sent(inputs: Props): SentCreation;
  /** The API has answered with the id. */
  accepted(id: string): Promise<void>;
  /** The engine gets the answer now. It saves it, unless it is killed first. */
  handedOver(): void;
  /** The run stops waiting until the object is ready, and hands it over as it is. */
  handedOverHalfMade(): Promise<void>;
  /** It has failed, but may have made an object: the next run looks. */
  leftOpen(): void;
  /** It is finished. */
  close(): Promise<void>;
}
