import { listed } from "../../text/listed";
import type { Api, CallOptions } from "../../api/client";
import type { PreflightRequests } from "../../api/advisory-requests";
import { waysToSet } from "../../engine/config-keys";
import { oneLine, STACK, type RowLog } from "../../engine/row-log";
import { urnParts } from "../../engine/urn";
import type { Settings } from "../../settings/config";
import { columnsTable } from "../../text/terminal-table";
import type { Finding, Props, ResourceKind } from "../kind/kind";

interface Need {
  readonly resourceType: string;
  readonly permission: string;
}

/** The permissions that changes of resources need, and how to ask for them. A front has them from the definitions. */
export interface PermissionTable {
  needsOf(kind: ResourceKind, permission: "edit", inputs: Props, changed: readonly string[]): readonly Need[];
  /** Undefined if no request tells. */
  isHeld(api: Api, need: Need, call: CallOptions): Promise<boolean | undefined>;
}

export interface PermissionTools {
  readonly api: Api;
  readonly settings: Settings;
  readonly preflight: PreflightRequests;
  readonly previewRows: RowLog;
}

/** The names of resources, by permission. */
type Needed = Map<string, Set<string>>;

/** The most resources that a row of the table names. */
const MOST_NAMES = 5;

/**
 * The permissions that the steps of a preview need and the API key lacks. Each is asked for once in a run. No call knows that it is the
 * last one, so the table comes when the engine ends the plugin.
 */
export class MissingPermissions {
  readonly #answers = new Map<string, Promise<boolean | undefined>>();
  readonly #missing: Needed = new Map();
  readonly #untold: Needed = new Map();
  #trouble = "";

  /** `table`: undefined if nobody asks. */
  constructor(
    private readonly run: PermissionTools,
    private readonly table: PermissionTable | undefined,
  ) {}

  /**
   * `inputs`: those that the step sends. `changed`: the fields of a change in place. The findings stop a preview, if it is to fail.
   */
  async look(
    kind: ResourceKind,
    urn: string,
    inputs: Props,
    changed: readonly string[] = [],
  ): Promise<readonly Finding[]> {
    const { table, run } = this;
    if (table === undefined || run.settings.permissions === "off") return [];
    const needs = table.needsOf(kind, "edit", inputs, changed).map(async (need) => {
      const text = `${need.resourceType}:${need.permission}`;
      const answer = this.#answers.get(text) ?? this.#ask(table, need);
      this.#answers.set(text, answer);
      const isHeld = await answer;
      if (isHeld !== true) note(isHeld === false ? this.#missing : this.#untold, text, kind, urn);
      return isHeld === false ? [text] : [];
    });
    const missing = [...new Set((await Promise.all(needs)).flat())];
    if (missing.length === 0 || run.settings.permissions !== "fail") return [];
    const reason = `the API key lacks ${missing.join(" and ")}, so the update would fail with 403. ${ADVICE}`;
    return [{ severity: "failure", field: "", reason }];
  }

  /** Once, at the end of the run. */
  async warn(): Promise<void> {
    const { previewRows, settings, api } = this.run;
    if (this.#untold.size > 0) {
      const text = `The preview could not find out whether the API key has ${[...this.#untold.keys()].sort().join(", ")}${this.#trouble}.`;
      await previewRows.line(STACK, "warning", text);
    }
    if (this.#missing.size === 0) return;
    // The engine may present resources in any order.
    const rows = [...this.#missing]
      .sort()
      .map(([permission, names]) => [permission, listed([...names].sort(), MOST_NAMES)]);
    const table = columnsTable(rows, { head: ["permission", "needed by"] });
    const text = [
      `The API key from ${api.credentials.current.source} lacks permissions, so the update would fail with 403:`,
      "",
      ...table.split("\n").map((line) => `  ${line}`),
      "",
      ADVICE,
      "Resources that leave the program are not included, because a preview does not show them to the provider.",
      `If this key is for previews only, hide this with ${waysToSet("permissions", "off", settings.provider)}.`,
    ].join("\n");
    await previewRows.line(STACK, "warning", text);
  }

  /** Undefined if nobody knows. */
  async #ask(table: PermissionTable, need: Need): Promise<boolean | undefined> {
    const { api, preflight } = this.run;
    const purpose = "find out what the API key may do";
    const reply = await preflight
      .ask("permissions", (call) => table.isHeld(api, need, { ...call, purpose }), true)
      .catch(() => undefined); // a refused key is told by the other requests
    if (reply?.status === "answered") return reply.answer;
    if (reply?.status === "skipped" && reply.reason !== undefined) this.#trouble ||= `: ${oneLine(reply.reason)}`;
    return undefined;
  }
}

const ADVICE =
  "Give the key the permission, or update with another key. `cloudinfra permissions` lists all that the program needs.";

function note(needed: Needed, permission: string, { type }: ResourceKind, urn: string): void {
  needed.set(permission, (needed.get(permission) ?? new Set()).add(`${type} ${urnParts(urn).name}`));
}
