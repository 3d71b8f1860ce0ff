import type { Noun } from "../../../src/simulator/nouns/noun";
import { nounsOf } from "../../../src/simulator/nouns/noun-registry";
import { harnessForSuite, type Json } from "./harness";
import { populate, type Ids } from "./populated";
import { sampleOf } from "./samples";

export const nouns = nounsOf("spec");

/** A simulator with an object of each noun, for the tests of a file. */
export class NounBench {
  readonly api = harnessForSuite();
  ids: Ids = {};

  static forSuite(): NounBench {
    const bench = new NounBench();
    beforeEach(async () => {
      bench.ids = await populate(bench.api);
      await bench.api.advance("8s");
      bench.ids = { ...bench.ids, ...(await bench.#partsOf()) };
    });
    return bench;
  }

  /** The ids of the parts of an object, once it is ready. */
  async #partsOf(): Promise<Ids> {
    const state = await this.api.state();
    return Object.fromEntries(
      nouns.flatMap((noun) => {
        const { create, place } = sampleOf(noun);
        const first = state[noun.key]?.[0]?.["id"] as string | undefined;
        return create || place || first === undefined ? [] : [[`${noun.path}:${noun.idParameter}`, [first]]];
      }),
    );
  }

  idOf(noun: Noun, which = 0): string {
    return (this.ids[`${noun.path}:${noun.idParameter}`] ?? this.ids[noun.idParameter])?.at(which) ?? "";
  }

  /** The path of a collection, in the first existing parent. */
  collectionAt({ path, parent }: Noun): string {
    return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
      for (let at = parent as Noun | undefined; at; at = at.parent as Noun | undefined) {
        if (at.idParameter === name) return this.idOf(at);
      }
      return this.ids[name]?.[0] ?? "";
    });
  }

  /** The path of an object. A singleton has no id in its path. */
  itemOf(noun: Noun): string {
    return noun.isSingleton ? this.collectionAt(noun) : `${this.collectionAt(noun)}/${this.idOf(noun)}`;
  }

  async held(noun: Noun, id: string): Promise<Json | undefined> {
    const objects = (await this.api.state())[noun.key];
    return noun.isSingleton ? objects?.[0] : objects?.find((object) => object["id"] === id);
  }
}
