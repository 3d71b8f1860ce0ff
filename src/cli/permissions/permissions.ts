import { z } from "zod";
import { typeOfToken, urnParts } from "../../engine/urn";
import { definitions } from "../../resources/definitions";
import { columnsTable } from "../../text/terminal-table";
import { printable } from "../../text/terminal-text";
import { exitCodes } from "../command-failure";
import type { CommonOptions, OutputOption } from "../command";
import { checkedPreview, previewsOf, type MadePreview } from "../cost/previews";
import type { CliIo } from "../io";
import { NeededPermissions, resourceTypeOf } from "../../resources/needed-permissions";

export interface PermissionsOptions extends CommonOptions, OutputOption {
  /** Default: the selected one. */
  readonly stack?: string;
  readonly format: "table" | "json";
}

/** Prints the least permissions of an API key for a program. Resolves with the exit code. Rejects with CommandFailure. */
export async function runPermissions({ stack, format }: PermissionsOptions, io: CliIo): Promise<number> {
  const needed = new NeededPermissions();
  const projectIds = new Set<string>();
  const stacks = stack === undefined ? [] : [stack];
  for await (const made of previewsOf({ stack: stacks, preview: [], target: [] }, [], io))
    collect(made, needed, projectIds);
  const permissions = needed.list();
  if (format === "json") {
    const json = permissions.map(({ resourceType, permission }) => ({ resourceType, permission }));
    io.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
    return exitCodes.fine;
  }
  const rows = permissions.map(({ resourceType, permission, neededBy }) => [
    `${resourceType}:${permission}`,
    printable(neededBy.join(", ")),
  ]);
  const table =
    rows.length === 0
      ? "The program needs no permission: any valid API key can run it."
      : columnsTable(rows, { head: ["permission", "needed by"], width: io.stdout.columns });
  const projects =
    projectIds.size === 0
      ? []
      : [`The key must reach the project${projectIds.size === 1 ? "" : "s"} ${printable([...projectIds].join(", "))}.`];
  io.stdout.write(`${[table, ...projects, BEYOND].join("\n")}\n`);
  return exitCodes.fine;
}

const BEYOND =
  "audit_log:read lets a run after an interruption find what it made. usage:read shows the organization's bill.";

function collect(made: MadePreview, needed: NeededPermissions, projectIds: Set<string>): void {
  for (const { op, urn, newState, oldState } of checkedPreview(made).steps) {
    const { type, external, inputs } = newState ?? oldState ?? { type: "" };
    const definition = definitions.find((each) => each.type === typeOfToken(type));
    if (!definition) continue;
    const by = `${definition.type} ${urnParts(urn).name}`;
    needed.addResource(definition, external === true || op === "read" ? "read" : "edit", by, inputs);
    for (const id of reached.parse(inputs)) projectIds.add(id);
  }
  for (const note of made.notes ?? [])
    if (note.note === "lookup") needed.add(resourceTypeOf(note.path), "read", note.name);
}

const ids = z.array(z.string()).catch([]);
const reached = z
  .object({ projectId: z.string().optional().catch(undefined), projectIds: ids.optional() })
  .transform(({ projectId, projectIds = [] }) => [...(projectId === undefined ? [] : [projectId]), ...projectIds])
  .catch([]);
