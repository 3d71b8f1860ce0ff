import { failure } from "../../definition/rule-context";
import { listed } from "../../text/terminal-text";
import type { Api, CallOptions } from "../../api/client";
import { isBlockedAddress } from "../../api/errors/api-error";
import { waysToSet } from "../../engine/settings-list";
import { oneLine, STACK } from "../../engine/row-log";
import { urnParts } from "../../engine/urn";
import { columnsTable } from "../../text/terminal-table";
import type { Finding, Props, ResourceKind } from "../kind/kind";
import { KeyEnd } from "./key-end";
import type { AdvisoryRun } from "../pricing/quote-of-creation";

interface Need {
  readonly resourceType: string;
  readonly permission: string;
}

/** The permissions that changes of resources need, and how to ask for them. A front derives it from the definitions. */
export interface PermissionTable {
  needsOf(kind: ResourceKind, permission: "edit", inputs: Props, changed: readonly string[]): readonly Need[];
  /** The ids of the known projects in the inputs. */
  projectsOf(inputs: Props): readonly string[];
  /**
   * A request that shows whether a project is in the scope of a key with these permissions. Undefined if no request
   * shows it.
   */
  reaches(held: readonly Need[]): ((api: Api, projectId: string, options: CallOptions) => Promise<boolean>) | undefined;
  /** Whether the key has the permission. Undefined if no request shows it. */
  isHeld(api: Api, need: Need, options: CallOptions): Promise<boolean | undefined>;
}

/** `blocked`: the key does not work from this machine's address. Undefined if the answer is not known. */
type Answer = boolean | "blocked" | undefined;

/** The names of resources, by permission. */
type PermissionNeeds = Map<string, Set<string>>;

/** The most resources that a row of the table names. */
const MAX_NAMES = 5;

/**
 * Finds the permissions and projects that the steps of a preview need and the API key lacks. Each is asked for once in
 * a run. No call knows that it is the last one, so the table comes when the engine ends the plugin.
 */
export class MissingPermissions {
  readonly #answers = new Map<string, Promise<Answer>>();
  readonly #missing: PermissionNeeds = new Map();
  readonly #unknown: PermissionNeeds = new Map();
  readonly #end: KeyEnd;
  /**
   * All requests to the API. `warn` waits for their answers, because the engine may end the plugin before them if a
   * check fails.
   */
  readonly #asked: Promise<unknown>[] = [];
  #trouble = "";

  /** `table`: undefined to ask for nothing. */
  constructor(
    private readonly run: AdvisoryRun,
    private readonly table: PermissionTable | undefined,
  ) {
    this.#end = new KeyEnd(run);
  }

  /**
   * `inputs`: those that the step sends, and its project. `changed`: the fields of a change in place. Resolves with a
   * failure only if the setting `permissions` is `fail`.
   */
  findingsOn(
    kind: ResourceKind,
    urn: string,
    inputs: Props,
    changed: readonly string[] = [],
  ): Promise<readonly Finding[]> {
    const findings = this.#findingsOn(kind, urn, inputs, changed);
    this.#asked.push(findings.catch(() => undefined));
    return findings;
  }

  async #findingsOn(
    kind: ResourceKind,
    urn: string,
    inputs: Props,
    changed: readonly string[],
  ): Promise<readonly Finding[]> {
    const { table, run } = this;
    if (table === undefined || run.settings.permissions === "off") return [];
    const missing = new Set<string>();
    const isHeld = async (
      text: string,
      ask: (options: CallOptions) => Promise<boolean | undefined>,
    ): Promise<boolean> => {
      const asked = this.#answers.get(text) ?? this.#ask(ask);
      this.#answers.set(text, asked);
      const answer = await asked;
      if (answer === true) return true;
      const lacking = answer === "blocked" ? "access from this machine's address" : text;
      addNeed(answer === undefined ? this.#unknown : this.#missing, lacking, kind, urn);
      if (answer !== undefined) missing.add(lacking);
      return false;
    };
    const needs = table.needsOf(kind, "edit", inputs, changed);
    const held = await Promise.all(
      needs.map((need) =>
        isHeld(`${need.resourceType}:${need.permission}`, (options) => table.isHeld(run.api, need, options)),
      ),
    );
    await this.#end.warn();
    // Only with permissions that the key has: otherwise a refused list says nothing about the project.
    const reaches = table.reaches(needs.filter((_need, index) => held[index]));
    if (reaches)
      await Promise.all(
        table
          .projectsOf(inputs)
          .map((id) => isHeld(`access to project ${id}`, (options) => reaches(run.api, id, options))),
      );
    if (missing.size === 0 || run.settings.permissions !== "fail") return [];
    const reason = `the API key lacks ${[...missing].join(" and ")}, so the update would fail with 403. ${ADVICE}`;
    return [failure("", reason)];
  }

  /** Called once, at the end of the run. */
  async warn(): Promise<void> {
    await Promise.all(this.#asked);
    const { previewRows, settings, api, advisory } = this.run;
    const { trouble } = this.#end;
    const open = [
      ...(this.#unknown.size > 0 ? [`whether the API key has ${[...this.#unknown.keys()].sort().join(", ")}`] : []),
      ...(trouble === undefined ? [] : ["when the API key expires"]),
    ];
    if (open.length > 0 && !advisory.isUnreachable && !advisory.isKeyRefused) {
      const reason = this.#trouble || (trouble === undefined ? "" : `: ${oneLine(trouble)}`);
      const text = `The preview could not find out ${open.join(", nor ")}${reason.replace(/\.$/, "")}.`;
      await previewRows.line(STACK, "warning", text);
    }
    if (this.#missing.size === 0) return;
    // The engine may present resources in any order.
    const rows = [...this.#missing]
      .sort()
      .map(([permission, names]) => [permission, listed([...names].sort(), MAX_NAMES)]);
    const table = columnsTable(rows, { head: ["lacking", "needed by"] });
    const lines = [
      `The API key from ${api.credentials.current.source} lacks what the update needs, so it would fail with 403:`,
      "",
      ...table.split("\n").map((line) => `  ${line}`),
      "",
      ADVICE,
      "Resources that leave the program are not included, because a preview does not show them to the provider.",
      settings.permissions === "fail"
        ? "A preview that fails may not reach all resources, so more may be missing: `cloudinfra permissions --check` shows all."
        : `If this key is for previews only, turn this warning off with ${waysToSet("permissions", "off", settings.provider)}.`,
    ];
    await previewRows.line(STACK, "warning", lines.join("\n"));
  }

  async #ask(ask: (options: CallOptions) => Promise<boolean | undefined>): Promise<Answer> {
    const purpose = "find out what the API key may do";
    const orBlocked = (options: CallOptions): Promise<Answer> =>
      ask({ ...options, purpose, comment: this.#end.comment }).catch((error: unknown) => {
        if (isBlockedAddress(error)) return "blocked";
        throw error;
      });
    // Other requests report a refused key.
    const reply = await this.run.advisory.ask("permissions", orBlocked, true).catch(() => undefined);
    if (reply?.status === "answered") return reply.answer;
    if (reply?.status === "skipped") this.#trouble ||= `: ${oneLine(reply.reason)}`;
    if (reply?.status === "refused") this.#trouble ||= `: ${oneLine(reply.refusal.words)}`;
    return undefined;
  }
}

const ADVICE =
  "Give it to the key, or update with another key. `cloudinfra permissions` lists all that the program needs.";

function addNeed(needed: PermissionNeeds, permission: string, { type }: ResourceKind, urn: string): void {
  needed.set(permission, (needed.get(permission) ?? new Set()).add(`${type} ${urnParts(urn).name}`));
}
