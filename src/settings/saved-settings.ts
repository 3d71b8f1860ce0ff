import { dirname, join } from "node:path";
import { z } from "zod";
import type { ConfigReader } from "./config";
import { urlSpelling } from "../journal/address";
import { projectFile, yamlIn } from "../process/project-file";
import { urnParts } from "../engine/urn";
import { STACK, type RowLog } from "../engine/row-log";

const stackFile = z.object({ config: z.object({ "cloudinfra:baseUrl": z.string().trim().min(1) }) });

/**
 * The settings that the last update saved. The engine passes them to a refresh or destroy, unless the program runs.
 * Then CheckConfig or Check is called before anything is changed.
 */
export class SavedSettings {
  /** True as long as no call has shown that the program runs: the settings are those that the last update saved. */
  areInUse = true;
  /**
   * True if the program has given resources another provider than the state: their objects may be in another account.
   */
  hasOtherProvider = false;
  #isCompared = false;

  constructor(
    private readonly config: ConfigReader,
    private readonly rows: RowLog,
  ) {}

  /** Notes that the program runs, so that the settings are those of the configuration. */
  noteProgram(): void {
    this.areInUse = false;
  }

  /** Warns once if this run uses another base URL than the stack's file has now. */
  async warnOfOther(urn: string): Promise<void> {
    if (!this.areInUse || this.#isCompared) return;
    this.#isCompared = true;
    const text = otherUrlText(this.config, urnParts(urn).stack);
    if (text !== undefined) await this.rows.line(STACK, "warning", text);
  }

  /**
   * Warns if the state was made at another base URL. For the front to which the engine does not show former settings.
   */
  async warnOfMove(former: string, present: string): Promise<void> {
    const text = moveText(former, present, "");
    if (text !== undefined) await this.rows.line(STACK, "warning", text);
  }
}

/** The warning if the base URL changes. Undefined if it does not. `alternative` ends the advice. */
export function moveText(former: string, present: string, alternative: string): string | undefined {
  if (former === present) return undefined; // the usual case, without the cost of parsing
  const [old, now] = [urlSpelling(former), urlSpelling(present)];
  if (old === now) return undefined;
  return (
    `The base URL changes from ${old} to ${now}. Nothing is replaced: the provider expects the objects of the state at the new ` +
    `address. If that is another API or another organization, a refresh would remove them from the state, and an update would fail. Then go ` +
    `back, and use another stack${alternative}.`
  );
}

/** The warning if the stack's file has another base URL than the saved settings. Undefined if not. */
function otherUrlText(config: ConfigReader, stack: string): string | undefined {
  const [saved, file] = [config("baseUrl"), `Pulumi.${stack}.yaml`];
  const present = saved === undefined ? undefined : baseUrlIn(file, process.cwd());
  if (saved === undefined || present === undefined || urlSpelling(saved) === urlSpelling(present)) return undefined;
  return (
    `The base URL in ${file} is ${urlSpelling(present)}, but this run works at ${urlSpelling(saved)}: without --run-program, a ` +
    `refresh or destroy takes the settings that the last update saved. To work at the new address, cancel this run. Then run ` +
    `\`pulumi up\` first, or add \`--run-program\`.`
  );
}

/** The base URL in the stack's file beside Pulumi.yaml. Undefined if there is none, or if the file cannot be read. */
function baseUrlIn(file: string, folder: string): string | undefined {
  const project = projectFile(folder);
  const { data } = stackFile.safeParse(project && yamlIn(join(dirname(project), file)));
  return data?.config["cloudinfra:baseUrl"];
}
