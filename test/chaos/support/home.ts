import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCreations } from "../../../src/cli/doctor/open-creations";
import { FileJournal } from "../../../src/journal/file-journal";
import { journalFolder } from "../../../src/process/user-folders";

/** The home folder of the person who runs the programs, with the journal. */
export class Home {
  readonly #folder = mkdtempSync(join(tmpdir(), "cloudinfra-chaos-"));

  get journalFolder(): string {
    return journalFolder(this.#environment) ?? this.#folder;
  }

  get journal(): FileJournal {
    return new FileJournal(this.journalFolder);
  }

  /**
   * What only `cloudinfra doctor` says of the journal. No run tells what the engine may have saved, and a stack with nothing in it calls
   * no provider. All else has to be told by a run.
   */
  async doctorsWords(isStackEmpty: boolean): Promise<string> {
    const lines = await openCreations({ environment: this.#environment });
    const said = lines.filter(({ verdict }) => verdict === "ok" || isStackEmpty);
    return said.map(({ finding }) => finding).join("\n");
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #environment(): Readonly<Record<string, string>> {
    return { XDG_STATE_HOME: this.#folder, LOCALAPPDATA: this.#folder };
  }
}
