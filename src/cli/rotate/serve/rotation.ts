import { createHash } from "node:crypto";
import { isRecord } from "../../../definition/compare-values";
import type { Props } from "../../../lifecycle/kind/kind";
import { messageOf } from "../../../lifecycle/errors";
import { CommandFailure } from "../../command-failure";
import type { CliIo } from "../../io";
import { forgetOwnKeys, type OwnKeys } from "../../own-keys";

/** A request of ESC: the arguments of its environment, and the answer of the last rotation. */
interface RotationRequest {
  /** The environment of ESC, such as `acme/prod`. */
  readonly environment: string;
  readonly request: unknown;
  readonly state: unknown;
}

/** The answer to ESC, which keeps it as `current` and sends it with the next request. */
interface RotatedKey {
  readonly id: string;
  /** The secret. */
  readonly key: string;
  readonly expiresAt: string;
  /** The ids of earlier keys that still work, and that the next rotation deletes. */
  readonly replaced: readonly string[];
}

/** The arguments of an ApiKey that a request may give. */
const ARGUMENTS = ["name", "permissions", "lifetime", "projectIds", "sourceIpRule", "tags"];
const MAX_NAME_LENGTH = 100;
/** Within this time, an equal request counts as the same request sent again. */
const REPEATED_WITHIN_MS = 3_600_000;

interface RotationAnswer {
  readonly requestHash: string;
  readonly requestedAt: number;
  readonly answer: Promise<RotatedKey>;
}

/** Rotates keys for ESC. A replaced key works until the next rotation. */
export class KeyRotation {
  /** The last answer of each series. */
  readonly #answers = new Map<string, RotationAnswer>();

  /** `openKeys`: opens the keys for one rotation. `say`: gets a line for each key that is made, deleted or kept. */
  constructor(
    private readonly openKeys: () => OwnKeys,
    private readonly io: CliIo,
    private readonly say: (text: string) => void,
  ) {}

  /**
   * Makes a new key and deletes earlier ones. The last request of a series gets the same key if it comes again. An
   * earlier one does not, because a later one may have deleted its key. Rejects with a CommandFailure or a
   * CloudinfraError.
   */
  async rotate(request: RotationRequest): Promise<RotatedKey> {
    const now = this.io.clock.now();
    for (const [key, { requestedAt }] of this.#answers)
      if (now - requestedAt > REPEATED_WITHIN_MS) this.#answers.delete(key);
    const { series } = argumentsOf(request);
    const requestHash = hashOf(request);
    const last = this.#answers.get(series);
    if (last?.requestHash === requestHash) return last.answer;
    const keys = this.openKeys();
    const answer = this.#rotate(request, keys).finally(() => keys.close());
    const latest = { requestHash, requestedAt: now, answer };
    this.#answers.set(series, latest);
    answer.catch(() => this.#answers.get(series) === latest && this.#answers.delete(series));
    return answer;
  }

  async #rotate(request: RotationRequest, keys: OwnKeys): Promise<RotatedKey> {
    const { environment, state } = request;
    const { series, inputs } = argumentsOf(request);
    const last = keyIn(state);
    // The service may have been stopped before it noted that ESC has them.
    if (last) await forgetOwnKeys([last.id, ...last.replaced], this.io, series).catch(() => undefined);
    const made = await keys.make(await keys.check(series, inputs));
    const { key, expiresAt } = made.last.props;
    this.say(`${environment}: made key ${made.id}, which expires on ${String(expiresAt)}`);
    const replaced = last ? [last.id] : [];
    for (const id of last?.replaced ?? []) {
      const { text, works } = await deleteEarlier(id, series, keys);
      this.say(`${environment}: key ${id} ${text}`);
      if (works) replaced.push(id);
    }
    const unknown = await unknownKeys([made.id, ...replaced], series, keys);
    if (unknown !== undefined) this.say(`${environment}: ${unknown}`);
    return { id: made.id, key: String(key), expiresAt: String(expiresAt), replaced };
  }
}

/** Names the keys that the state does not know. A failure does not fail the request. */
async function unknownKeys(known: readonly string[], series: string, keys: OwnKeys): Promise<string | undefined> {
  try {
    const others = (await keys.named(series)).filter((id) => !known.includes(id));
    return others.length === 0
      ? undefined
      : `the state does not know ${others.join(" and ")}: delete those that nobody uses`;
  } catch (error) {
    return `could not look for keys that the state does not know: ${messageOf(error)}`;
  }
}

/**
 * Deletes an earlier key, if this service has made it, because a state can be written by hand. Resolves with the result
 * in words. A failure does not fail the request.
 */
async function deleteEarlier(
  id: string,
  series: string,
  keys: OwnKeys,
): Promise<{ readonly text: string; readonly works: boolean }> {
  try {
    const key = await keys.find(id);
    if (key === undefined) return { text: "no longer exists", works: false };
    const { name } = key.last.props;
    if (name !== series)
      return { text: `stays: it is named ${JSON.stringify(name)}, and this service has not made it`, works: false };
    if (!(await keys.delete(key))) {
      const until = String(key.last.props["expiresAt"]);
      return { text: `is no longer shown. If nobody has deleted it, it works until ${until}`, works: false };
    }
    const isThere = (await keys.find(id)) !== undefined;
    return isThere ? { text: "stays until the next rotation", works: true } : { text: "is deleted", works: false };
  } catch (error) {
    return { text: `is not deleted yet, and the next rotation tries again: ${messageOf(error)}`, works: true };
  }
}

/** `series`: the name of its keys, which tells them from those of other environments. */
function argumentsOf({ environment, request }: RotationRequest): { readonly series: string; readonly inputs: Props } {
  const given = isRecord(request) ? request : {};
  const others = Object.keys(given).filter((name) => !ARGUMENTS.includes(name));
  if (others.length > 0)
    throw new CommandFailure(`"request" takes ${ARGUMENTS.join(", ")}, and has ${others.join(", ")}.`);
  const { name = "rotated", ...inputs } = given;
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_LENGTH)
    throw new CommandFailure(`"request.name" must be a text of at most ${MAX_NAME_LENGTH} characters.`);
  if (typeof inputs["lifetime"] !== "string")
    throw new CommandFailure(`"request.lifetime" must say how long a key lives, such as "90d".`);
  return { series: `${name} ${hashOf([environment, name]).slice(0, 12)}`, inputs };
}

/** The key of the last rotation. Undefined for the first one. */
function keyIn(state: unknown): Pick<RotatedKey, "id" | "replaced"> | undefined {
  if (state === null || state === undefined) return undefined;
  const { id, replaced = [] } = isRecord(state) ? state : {};
  if (typeof id !== "string" || !Array.isArray(replaced) || !replaced.every((each) => typeof each === "string"))
    throw new CommandFailure('"state" must be what an earlier rotation answered, or null.');
  return { id, replaced };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
