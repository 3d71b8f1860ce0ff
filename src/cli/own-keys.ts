import { randomUUID } from "node:crypto";
import { isSameId } from "../definition/same-id";
import { findingText } from "../definition/rule-context";
import { nativeToken, urnParts } from "../engine/urn";
import { WITHOUT_STATE } from "../journal/entry";
import { journalWith, type Journal } from "../journal/journal";
import { touchRegularly } from "../journal/sender";
import { collectionAt } from "../lifecycle/kind/collection-at";
import { InitFailedError, messageOf, NotAppliedError } from "../lifecycle/errors";
import { newKind, type Props } from "../lifecycle/kind/kind";
import { lifecycleOf } from "../lifecycle/lifecycle";
import { NO_MEMORY, type Lifecycle, type ResourceRequest, type ResourceState } from "../lifecycle/resource-request";
import type { Run } from "../lifecycle/run/run";
import type { ConfigReader } from "../settings/config";
import { isThisProcess } from "../process/process-identity";
import { apiKey } from "../resources/api-key";
import { definitions } from "../resources/definitions";
import { CommandFailure } from "./command-failure";
import { journalOf } from "./command-journal";
import { commandRun } from "./command-run";
import type { CliIo } from "./io";

const kind = newKind(apiKey, definitions);

/** A key that a command has made. */
export interface OwnKey extends ResourceRequest {
  readonly last: ResourceState;
}

/**
 * API keys that a command makes, and that no state has. They are made and deleted like those of a resource: with an
 * entry in the journal, and until the API answers 404.
 */
export class OwnKeys {
  readonly run: Run;
  /** As `run`, but nothing ends its waits: it deletes keys also after an interruption. */
  readonly #deletingRun: Run;
  readonly #keys: Lifecycle;
  readonly #touching: NodeJS.Timeout;

  constructor(
    private readonly command: string,
    config: ConfigReader,
    private readonly io: CliIo,
    cancelled?: AbortSignal,
  ) {
    const files = journalOf(io.environment);
    this.#touching = touchRegularly(files);
    const journal = journalWithoutStates(files);
    this.#deletingRun = commandRun(config, io, { journal });
    this.run = cancelled ? commandRun(config, io, { journal, cancelled, client: { cancelled } }) : this.#deletingRun;
    this.#keys = lifecycleOf(kind, () => this.run);
  }

  /** The API's time in epoch milliseconds. */
  now(): Promise<number> {
    return this.run.apiTime(this.#urn("time"));
  }

  /** Completes and validates the request for a new key. Rejects with a CommandFailure that names each fault. */
  async check(name: string, inputs: Props): Promise<ResourceRequest> {
    const request = this.#request(`${name} ${randomUUID()}`, "", { ...inputs, name });
    const { state, findings } = await this.#keys.check(request);
    if (findings.length > 0) throw new CommandFailure(`The key was not made.\n${findings.map(findingText).join("\n")}`);
    return { ...request, inputs: state.props, memory: state.memory };
  }

  /**
   * Rejects as a creation does. If the new key is not as requested, it is deleted, and the error is a NotAppliedError.
   */
  async make(request: ResourceRequest): Promise<OwnKey> {
    const keyOf = (id: string, state: ResourceState): OwnKey => ({ ...request, id, memory: state.memory, last: state });
    try {
      const { id, state } = await this.#keys.create(request);
      return keyOf(id, state);
    } catch (error) {
      if (!(error instanceof InitFailedError)) throw error;
      const key = keyOf(error.id, error.state);
      throw new NotAppliedError(`${error.message}\n${await this.#deleteUnusable(key)}`, { cause: error });
    }
  }

  async change(key: OwnKey, inputs: Props): Promise<void> {
    await this.#keys.update({ ...key, inputs: { ...key.inputs, ...inputs } });
  }

  /** Deletes a new key that nobody has got. Resolves with the result in words. */
  async #deleteUnusable(key: OwnKey): Promise<string> {
    try {
      const isDeleted = await this.delete(key);
      return isDeleted ? `This command has deleted the new key ${key.id} again.` : notShownText(key);
    } catch (failure) {
      return `The new key could not be deleted: ${messageOf(failure)}\n${remainsText(key)}`;
    }
  }

  /** The key as the API shows it. Undefined if it does not exist. */
  async find(id: string): Promise<OwnKey | undefined> {
    const request = this.#request(id, id, {});
    const shown = await this.#keys.read(request);
    return shown && { ...request, inputs: shown.inputs.props, last: shown.outputs };
  }

  /** The ids of the keys with a name. */
  async named(name: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const wire of collectionAt(this.run.api, kind).list({ purpose: `look for API keys named ${name}` }))
      if (wire["name"] === name) ids.push(wire.id);
    return ids;
  }

  /**
   * Deletes a key and its entry. Resolves with false if the API does not show the key: then it may still work, and the
   * entry stays. Rejects as a deletion does. The key stays if the command signs in with it.
   */
  async delete(key: OwnKey): Promise<boolean> {
    const deletion = { ...key, inputs: key.last.props, last: undefined };
    await lifecycleOf(kind, () => this.#deletingRun).delete(deletion);
    if (this.#deletingRun.memory.missing.wasMissing(key.id)) return false;
    // If the journal cannot be written, the doctor names a key that no longer exists.
    await forgetOwnKeys([key.id], this.io).catch(() => undefined);
    return true;
  }

  async close(): Promise<void> {
    clearInterval(this.#touching);
    await Promise.all([this.run, this.#deletingRun].map(({ api }) => api.close()));
  }

  #urn(name: string): string {
    return `urn:pulumi:${this.command}::${WITHOUT_STATE}::${nativeToken(kind.type)}::${name}`;
  }

  #request(urnName: string, id: string, inputs: Props): ResourceRequest {
    return {
      urn: this.#urn(urnName),
      id,
      isPreview: false,
      inputs,
      memory: NO_MEMORY,
      isReference: false,
    };
  }
}

/** What to do about a key that could not be deleted. */
export function remainsText({ id, last }: OwnKey): string {
  const expiresAt = String(last.props["expiresAt"]);
  return `The key works until ${expiresAt}, and another run does not delete it: run \`cloudinfra doctor --delete ${id}\`.`;
}

/** What to do about a key that the API does not show, so that it was not deleted. */
export function notShownText({ id, last }: OwnKey): string {
  const expiresAt = String(last.props["expiresAt"]);
  return `The API does not show the key ${id}. If nobody has deleted it, it works until ${expiresAt}: run \`cloudinfra doctor --delete ${id}\` in a minute.`;
}

/**
 * Removes the journal entries of keys that were handed out or that no longer exist. `name`: the one that they were made
 * with. Default: any.
 */
export async function forgetOwnKeys(ids: readonly string[], { environment }: CliIo, name?: string): Promise<void> {
  const journal = journalOf(environment);
  const { entries } = await journal.all();
  const isOfName = (urn: string): boolean => name === undefined || urnParts(urn).name.startsWith(`${name} `);
  const theirs = entries.filter(({ id, urn }) => ids.some((each) => isSameId(each, id)) && isOfName(urn));
  await Promise.all(theirs.map((entry) => journal.remove(entry)));
}

/**
 * A journal that ignores `isHandedOver`, because no state ever has the keys. An entry names its key until the key is
 * deleted. Of this process, which serves several requests at the same time, it reads only the entries of attempts that
 * may have left a key behind.
 */
function journalWithoutStates(files: Journal): Journal {
  return journalWith(files, {
    write: (entry) => files.write({ ...entry, isHandedOver: undefined }),
    all: async () => {
      const contents = await files.all();
      return {
        ...contents,
        entries: contents.entries.filter((entry) => entry.isSuperseded || !isThisProcess(entry.sender)),
      };
    },
  });
}
