import { parseImportId } from "../definition/import-id";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { InitFailedError, shownText } from "../lifecycle/errors";
import { type Props, type ResourceKind, secretNames } from "../lifecycle/kind/kind";
import { lifecycleOf } from "../lifecycle/lifecycle";
import type { LocalKind } from "../lifecycle/local/local-kind";
import {
  type Autonaming,
  type Lifecycle,
  NO_MEMORY,
  type ResourceRequest,
  type ResourceState,
} from "../lifecycle/resource-request";
import type { Run } from "../lifecycle/run/run";
import { programFactsOf } from "../engine/program-facts";
import { answeredInputs, UNKNOWN } from "../engine/values";
import { runsPreview } from "../process/cli-process";
import { propsFromState, requestFromProps, stateFromProps } from "../state/kept-state";
import { loaderOf } from "../state/loader";
import { markedPaths, withPaths } from "../state/secret-paths";
import { checkAnswer, diffAnswer, failureOf, InitFailure } from "./engine-answers";
import { withIgnored } from "./ignored-changes";
import { differencesOf, keptOutputs, outputsFrom } from "./preview-answers";
import { EmptyMessage, fillMessage, messages, recordOf, structOf, withMarksOf } from "./messages";
import { listForEngine } from "./list-service";
import type { PreviewRows } from "./preview-rows";

/**
 * The engine's calls for one kind of resource: each is parsed here, once, and each answer is put into the engine's
 * form.
 */
export class ResourceService {
  readonly #lifecycle: Lifecycle;
  readonly #secrets: readonly string[];

  constructor(
    private readonly kind: ResourceKind | LocalKind,
    private readonly rows: PreviewRows,
    private readonly run: () => Run,
  ) {
    this.#lifecycle = lifecycleOf(kind, run);
    this.#secrets = "path" in kind ? secretNames(kind) : [];
  }

  async check(request: wire.CheckRequest): Promise<wire.CheckResponse> {
    const inputs = recordOf(request.getNews(), request.getUrn());
    const facts = programFactsOf(inputs);
    if (facts !== undefined) await this.rows.know(facts.isPreview, request.getUrn());
    this.rows.begin(request.getUrn());
    try {
      const olds = recordOf(request.getOlds(), request.getUrn());
      const { state, findings } = await this.#lifecycle.check({
        ...this.#request(request, inputs, olds),
        // Programs in TypeScript send it. The engine does not tell it before the first create or update.
        isPreview: this.rows.isPreview ?? true,
        mayBeUpdate: this.rows.isPreview === undefined && !runsPreview(),
        autonaming: autonamingOf(request),
      });
      const isRefused = findings.length > 0;
      if (isRefused) await this.rows.showAll(request.getUrn());
      return checkAnswer(
        withMarksOf(request.getNews(), answeredInputs(inputs, this.#inputs(state), isRefused)),
        findings.map((finding) => failureOf(finding, request.getNews())),
      );
    } catch (error) {
      await this.rows.showAll(request.getUrn());
      // Answered as a failure, which appears once, on the resource's row. The engine would print an error of check
      // twice.
      return checkAnswer(withMarksOf(request.getNews(), inputs), [{ reason: shownText(error) }]);
    }
  }

  async diff(request: wire.DiffRequest): Promise<wire.DiffResponse> {
    const urn = request.getUrn();
    const call = this.#change(request);
    const answer = this.#lifecycle.diff(call);
    const found = await answer.catch(async (error: unknown) => {
      await this.rows.showAll(urn);
      throw error;
    });
    const outputs = call.last?.props ?? {};
    const before = this.#oldInputs(request);
    const inputs = withIgnored(request.getIgnorechangesList(), before, { ...before, ...outputs });
    const compared = { inputs, outputs, news: call.inputs };
    const differences = found.changes === false ? [] : differencesOf(this.kind, compared, found);
    const isChanged = found.changes ?? differences.length > 0;
    if (!isChanged) await this.rows.show(urn);
    return diffAnswer(isChanged, differences, found);
  }

  async create(request: wire.CreateRequest): Promise<wire.CreateResponse> {
    const [urn, sent] = [request.getUrn(), request.getProperties()];
    const inputs = recordOf(sent, urn);
    await this.rows.know(request.getPreview(), urn);
    if (request.getPreview()) {
      const outputs = outputsFrom(this.kind, () => UNKNOWN);
      const properties = structOf(withMarksOf(sent, { ...inputs, ...outputs }));
      return fillMessage(new messages.CreateResponse(), { properties });
    }
    const { id, state } = await this.#orInitFailure(
      this.#lifecycle.create(withTimeout(this.#request(request, inputs), "create", request.getTimeout())),
      sent,
    );
    return fillMessage(new messages.CreateResponse(), { id, properties: structOf(this.#outputs(state, sent)) });
  }

  async read(request: wire.ReadRequest): Promise<wire.ReadResponse> {
    const { kind } = this;
    const properties = recordOf(request.getProperties(), request.getUrn());
    // For an import, the engine sends the id only.
    const isImport =
      Object.keys(properties).length === 0 && Object.keys(recordOf(request.getInputs(), "")).length === 0;
    if (isImport && !("path" in kind))
      throw new ConfigurationError(
        `The API has no ${kind.type}: there is nothing to import. Declare it in the program.`,
      );
    const known = Object.keys(properties).length > 0 ? properties : recordOf(request.getInputs(), request.getUrn());
    // A state that this package has written has the URN. An imported object, and one that a program looks up, has none.
    const isNew = stateFromProps(known).urn === "";
    const sent = this.#request(request, known);
    const answer = this.#lifecycle.read({ ...sent, ...(isNew && firstRead(sent, known)) });
    // In a refresh, no call follows a read, so its lines are written now.
    const found = await answer.finally(() => this.rows.show(request.getUrn()));
    if (found === undefined) return new messages.ReadResponse();
    return fillMessage(new messages.ReadResponse(), {
      id: isNew && "path" in kind ? parseImportId(kind, request.getId()).id : found.id,
      properties: structOf(this.#outputs(found.outputs, request.getProperties())),
      inputs: structOf(withMarksOf(request.getInputs(), this.#inputs(found.inputs))),
    });
  }

  async update(request: wire.UpdateRequest): Promise<wire.UpdateResponse> {
    const urn = request.getUrn();
    const update = this.#change(request);
    await this.rows.know(request.getPreview(), urn);
    if (request.getPreview()) {
      const news = { ...recordOf(request.getNews(), urn), ...update.inputs };
      const kept = keptOutputs(this.kind, recordOf(request.getOlds(), urn), news);
      const properties = structOf(withMarksOf(request.getNews(), { ...news, ...kept }));
      return fillMessage(new messages.UpdateResponse(), { properties });
    }
    const { state } = await this.#orInitFailure(
      this.#lifecycle.update(withTimeout(update, "update", request.getTimeout())),
      request.getNews(),
      request.getOlds(),
    );
    return fillMessage(new messages.UpdateResponse(), {
      properties: structOf(this.#outputs(state, request.getNews())),
    });
  }

  async delete(request: wire.DeleteRequest): Promise<Empty> {
    const urn = request.getUrn();
    await this.rows.know(false, urn);
    const deletion = this.#request(request, recordOf(request.getProperties(), urn));
    await this.#lifecycle.delete(withTimeout(deletion, "delete", request.getTimeout()));
    return new EmptyMessage();
  }

  /** Lists the objects of the kind. Throws ConfigurationError for a local kind. */
  list(request: wire.ListRequest): AsyncIterable<wire.ListResponse> {
    const { kind } = this;
    if (!("path" in kind))
      throw new ConfigurationError(`A ${kind.type} has no object at the API: there is nothing to list.`);
    return listForEngine(kind, this.run(), request);
  }

  #request(call: { getUrn(): string; getId?(): string }, sent: Props, olds: Props = {}): ResourceRequest {
    const request = withoutTimeouts(requestFromProps(call.getId?.() ?? "", sent, programFactsOf(sent), olds));
    return { ...request, urn: call.getUrn(), last: request.last && withoutTimeouts(request.last) };
  }

  /** The program's change of an object, without the changes that it ignores. */
  #change(request: wire.DiffRequest | wire.UpdateRequest): ResourceRequest {
    const [urn, ignored] = [request.getUrn(), request.getIgnorechangesList()];
    const call = this.#request(request, recordOf(request.getNews(), urn), recordOf(request.getOlds(), urn));
    if (ignored.length === 0) return call;
    const state = { ...this.#oldInputs(request), ...call.last?.props };
    return { ...call, inputs: withIgnored(ignored, call.inputs, state) };
  }

  #oldInputs(request: wire.DiffRequest | wire.UpdateRequest): Props {
    return stateFromProps(recordOf(request.getOldInputs(), request.getUrn())).props;
  }

  /** Adds the text with which the other front loads this package, so that it can read the state before an update. */
  #inputs(state: ResourceState): Props {
    return { ...propsFromState(withoutTimeouts(state), this.#secrets), __provider: loaderOf(this.kind.type) };
  }

  /**
   * Adds the paths of the secrets, because the engine sends them to the other front unmarked. So a stack can go back to
   * it without a change. `sent`: values with the engine's marks.
   */
  #outputs(state: ResourceState, ...sent: readonly (Struct | undefined)[]): Props {
    const props = sent.reduce<Props>((marked, each) => withMarksOf(each, marked), this.#inputs(state));
    return withPaths(
      props,
      markedPaths(props).filter(([name = ""]) => !this.#secrets.includes(name)),
    );
  }

  /**
   * Passes the answer on. Rejects with an InitFailure instead of an InitFailedError. `olds`: the state before an
   * update. It may keep values that were secret there and are not in the program.
   */
  #orInitFailure<Answer>(answer: Promise<Answer>, sent: Struct | undefined, olds?: Struct): Promise<Answer> {
    return answer.catch((error: unknown) => {
      if (!(error instanceof InitFailedError)) throw error;
      throw new InitFailure(error, this.#outputs(error.state, sent, olds));
    });
  }
}

/** The stack's rule for automatic names. The engine sends it only if the stack's configuration has one. */
function autonamingOf(request: wire.CheckRequest): Autonaming | undefined {
  const sent = request.getAutonaming();
  const { Mode } = messages.CheckRequest.AutonamingOptions;
  return sent && { name: sent.getMode() === Mode.DISABLE ? undefined : sent.getProposedName() };
}

/**
 * Marks the first read of an object as that of a reference: no state has the object yet, so it is an error if the
 * object is missing. An import, for which the engine sends the id only, also needs a price, so the price counts as
 * unknown. A `get` has no price.
 */
function firstRead({ memory }: ResourceRequest, sent: Props): Partial<ResourceRequest> {
  if (Object.keys(sent).length > 0) return { isReference: true };
  return { isReference: true, memory: { ...memory, unpriced: { status: "unknown", reason: "nobody has asked yet" } } };
}

/**
 * Removes the time limits from the state, also those of the other front, because here the engine sends them with each
 * call.
 */
function withoutTimeouts<Kept extends Pick<ResourceState, "memory">>(kept: Kept): Kept {
  return { ...kept, memory: { ...kept.memory, timeouts: NO_MEMORY.timeouts } };
}

/** Adds the program's `customTimeouts`, which come with the call in seconds. 0 means none. */
function withTimeout(request: ResourceRequest, verb: "create" | "update" | "delete", seconds: number): ResourceRequest {
  const timeouts = seconds === 0 ? {} : { [verb]: `${seconds}s` };
  return { ...request, memory: { ...request.memory, timeouts } };
}
