import { up, type Outcome } from "../../support/mini-engine";
import { sent, type TestRun } from "../../support/lifecycle";
import { plain, type Declaration, type KeptResource, type Props, type StateEntry } from "../../support/mini-state";
import { World, type WorldRunOptions } from "../../support/world";

export const DAY_MS = 86_400_000;

/** A world in which a stack has one API key, called `x`. */
export class KeyBench {
  private constructor(readonly world: World) {}

  static forSuite(): KeyBench {
    return new KeyBench(World.forSuite());
  }

  /** The ids of the keys at the API, the oldest first. */
  readonly ids = async (): Promise<readonly string[]> => {
    return await this.world.ids("ApiKey");
  };

  readonly up = (args: object, state?: StateEntry, by: TestRun = this.world.run()): Promise<Outcome> =>
    up(by, "ApiKey", args, state);

  /** Check and diff of the key in an update. Resolves with the checked inputs. */
  readonly compare = async (args: object, { id, inputs, outs }: StateEntry, by: TestRun): Promise<Props> => {
    const calls = by.of("ApiKey");
    const { inputs: news } = await calls.check(inputs, sent("ApiKey", "x", args, false));
    await calls.diff(id, outs, news);
    return news;
  };

  /** What an update with `deleteBeforeReplace` does until it creates the new key. */
  readonly deleteFirst = async (args: object, state: StateEntry, by: TestRun): Promise<void> => {
    await this.compare(args, state, by);
    await by.of("ApiKey").check({}, sent("ApiKey", "x", args, false));
    await by.of("ApiKey").delete(state.id, state.outs);
  };

  /** A run that signs in with the key of this state. */
  readonly signedInWith = ({ outs }: StateEntry, options?: WorldRunOptions): TestRun =>
    this.world.run({ apiKey: String(plain(outs["key"])) }, options);
}

/** A program with the key `x`, or another one. */
export const declared = (args: object, name = "x"): readonly Declaration[] => [
  { type: "ApiKey", name, args: () => args },
];

/** The key `x` in the state of a stack. */
export const kept = (state: StateEntry): KeptResource => ({
  ...{ ...state, type: "ApiKey", name: "x" },
  ...{ isReplaced: false, hasInitError: false },
});

/** The ids of the replaced keys that the state of a key has. */
export const retiredIn = ({ outs }: StateEntry): unknown =>
  (outs["__retired"] as { id: string }[] | undefined)?.map(({ id }) => id);
