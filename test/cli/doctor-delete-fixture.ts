import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileJournal } from "../../src/journal/file-journal";
import type { JournalEntry } from "../../src/journal/entry";
import { thisProcess } from "../../src/process/process-identity";
import { startSimulator, type Simulator } from "../../src/simulator";
import { requestsOf, send } from "../functions/support";
import { journalEntry } from "../support/journal-entry";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { runDoctor } from "./doctor-fixture";
import { PulumiProject, type CliResult, type CliRun } from "./support";
import { argsOf } from "../support/world";
import { toWire } from "../../src/definition/wire";
import { newKind } from "../../src/lifecycle/kind/kind";
import { vm } from "../../src/resources/vm";
import { storage } from "../kinds/volume";

const TOKEN = "a".repeat(32);
const BACKEND = "file:///state";
/** Answers the question of the doctor. */
export const TYPED_YES = { flags: [], isTTY: true, stdin: "yes\n" };
export const FORCED = { ...TYPED_YES, flags: ["--force"] };

interface DeleteRun extends CliRun {
  /** Default: that of the volume. */
  readonly id?: string;
  /** Default: --yes. */
  readonly flags?: readonly string[];
}

/** A volume that an interrupted run of the stack dev has made, a journal, and the project with its states. */
export class LeftVolume {
  /** By default, `pulumi` reports that this stack was never updated. */
  readonly project = new PulumiProject().stacks({ dev: [] });
  readonly token = TOKEN;
  readonly #state = mkdtempSync(join(tmpdir(), "cloudinfra-state-"));
  #proxy: FaultProxy | undefined;
  readonly journal = new FileJournal(join(this.#state, "pulumi-cloudinfra", "journal"));

  private constructor(
    readonly api: Simulator,
    readonly id: string,
  ) {}

  static async make(): Promise<LeftVolume> {
    const api = await startSimulator({ operationTime: "0" });
    return new LeftVolume(api, await makeVolume(api, TOKEN));
  }

  async close(): Promise<void> {
    await this.#proxy?.close();
    await this.api.close();
    this.project.remove();
    rmSync(this.#state, { recursive: true });
  }

  /** Puts a proxy in front of the API, for the entry and the doctor. */
  async proxied(): Promise<FaultProxy> {
    this.#proxy = await FaultProxy.start(this.api.url);
    await this.entry();
    return this.#proxy;
  }

  /** Makes this the only entry of the journal. */
  async entry(different: Partial<JournalEntry> = {}): Promise<JournalEntry> {
    for (const each of (await this.journal.all()).entries) await this.journal.remove(each);
    const written = journalEntry({
      id: this.id,
      token: TOKEN,
      type: "Volume",
      noun: "volume",
      name: "data-0123abc",
      urn: "urn:pulumi:dev::test::cloudinfra:index:Volume::data",
      pathInputs: {},
      sender: { ...thisProcess(), startedAt: "0" },
      stack: { ...journalEntry().stack, backend: BACKEND, baseUrl: this.#baseUrl },
      ...different,
    });
    await this.journal.write(written);
    return written;
  }

  /** Runs `doctor --delete` in the project's folder. */
  delete({ id = this.id, flags = ["--yes"], environment, ...run }: DeleteRun = {}): Promise<CliResult> {
    const folders = { XDG_STATE_HOME: this.#state, PULUMI_BACKEND_URL: BACKEND, ...this.project.environment };
    const all = { CLOUDINFRA_BASE_URL: this.#baseUrl, ...folders, ...environment };
    return runDoctor(this.api, all, { cwd: this.project.folder, ...run }, ["--delete", id, ...flags]);
  }

  /** As `delete`. Expects the exit code, the `counts` after it, and a text in its report or error. */
  async expectDelete(code: number, counts: readonly number[], text?: string, run: DeleteRun = {}): Promise<CliResult> {
    const result = await this.delete(run);
    if (text !== undefined) expect(code === 0 ? result.stdout : result.stderr).toContain(text);
    expect([result.code, await this.counts()]).toEqual([code, counts]);
    return result;
  }

  /** The number of entries in the journal, and of deletion requests to the API. */
  async counts(): Promise<readonly number[]> {
    const deletions = (await requestsOf(this.api)).filter(({ method }) => method === "DELETE");
    return [(await this.journal.all()).entries.length, deletions.length];
  }

  get #baseUrl(): string {
    return (this.#proxy ?? this.api).url;
  }
}

/** Makes a volume by a request with this token. */
export function makeVolume(api: Simulator, token: string): Promise<string> {
  const body = { name: "data-0123abc", project_id: api.projectId, region: api.region, size: 10, type: storage };
  return make(api, token, "/v1/compute/volumes", body);
}

/** Makes a VM with a data volume. Resolves with both ids. */
export async function makeVm(api: Simulator, token: string): Promise<readonly [vm: string, dataVolume: string]> {
  const { projectId, region } = api;
  const given = { name: "data-0123abc", projectId, region, dataVolumes: [{ name: "data", size: 10 }] };
  const args = argsOf("Vm", api, given);
  const id = await make(api, token, "/v1/compute/vms", toWire(newKind(vm), args, Date.now()));
  const { data_volume_ids: volumes } = await send(api, "GET", `/v1/compute/vms/${id}`);
  return [id, (volumes as readonly string[])[0] ?? ""];
}

async function make(api: Simulator, token: string, path: string, body: object): Promise<string> {
  const { resource_id: id } = await send(api, "POST", path, body, {
    "user-agent": `pulumi-cloudinfra/0.0.0 (${token})`,
  });
  return String(id);
}
