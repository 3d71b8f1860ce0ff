import type { PulumiResult } from "../../../tools/pulumi/stack.cjs";
import { FaultProxy } from "../../support/proxy/fault-proxy";
import { programOf, type Front } from "../support/programs";
import { Session, type SessionOptions } from "../support/session";
import { SimulatedApi } from "../support/simulated-api";

const open = new Set<Stage>();

/** The stack and API of one provider, with a proxy between them that records every request with its body. */
export class Stage {
  /** The ids of objects that something else has made, for use in programs. */
  readonly ids: Record<string, string> = {};

  private constructor(
    readonly front: Front,
    readonly session: Session,
    readonly proxy: FaultProxy,
  ) {}

  static async open(front: Front, { simulator, env, ...options }: Omit<SessionOptions, "api"> = {}): Promise<Stage> {
    const api = await SimulatedApi.start(simulator);
    const proxy = await FaultProxy.start(api.simulator.url);
    const session = await Session.start(programOf(front), {
      ...options,
      api,
      env: { CLOUDINFRA_BASE_URL: proxy.url, ...env },
    });
    const stage = new Stage(front, session, proxy);
    open.add(stage);
    return stage;
  }

  /** Writes a program of the stage's provider. */
  write(...statements: readonly string[]): void {
    this.session.stack.write(programOf(this.front, ...statements));
  }

  /** Updates the stack to a program of the stage's provider, without a preview. */
  deploy(...statements: readonly string[]): Promise<PulumiResult> {
    this.write(...statements);
    return this.session.up();
  }

  /** Closes the proxies of a test file. `Session` closes everything else. */
  static async closeAll(): Promise<void> {
    for (const { proxy } of open) await proxy.close();
    open.clear();
  }
}

// Of the suite that imports this.
afterAll(() => Stage.closeAll());
