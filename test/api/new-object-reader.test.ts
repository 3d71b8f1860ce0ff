import { NotFoundError } from "../../src/api/errors";
import { NewObjectReader } from "../../src/api/lists/collection-reader";
import { EventClock } from "./support/event-clock";
import { forbidden, response } from "./support/fake-service";

/** A collection that lists these objects, and shows every object by GET. */
class NewCollection {
  readonly clock = new EventClock();
  readonly requests: string[] = [];
  failure: Error | undefined;
  readonly reader = new NewObjectReader({
    clock: this.clock,
    get: (id) => {
      this.requests.push(`GET ${id}`);
      return id === "gone" ? Promise.reject(new NotFoundError({ ...response, status: 404 })) : Promise.resolve({ id });
    },
    newest: () => {
      this.requests.push("list");
      return this.failure ? Promise.reject(this.failure) : Promise.resolve(this.listed);
    },
  });

  constructor(readonly listed: { readonly id: string; readonly status?: string }[]) {}

  readonly read = (...ids: string[]) => this.#atOnce(ids, (id) => this.reader.read(id));
  readonly readIfReady = (...ids: string[]) => this.#atOnce(ids, (id) => this.reader.readIfReady(id));

  /** Reads several objects at the same moment. */
  async #atOnce(
    ids: readonly string[],
    read: (id: string) => Promise<{ readonly id: string } | undefined>,
  ): Promise<unknown[]> {
    const all = Promise.allSettled(ids.map(read));
    await this.clock.run(1_000);
    return (await all).map((one) => (one.status === "fulfilled" ? one.value?.id : (one.reason as Error).name));
  }
}

describe("reads of new objects", () => {
  it("reads one list for several new objects", async () => {
    const collection = new NewCollection([{ id: "a" }, { id: "b" }, { id: "c" }, { id: "theirs" }]);
    expect(await collection.read("a", "B", "c")).toEqual(["a", "b", "c"]);
    expect(collection.requests).toEqual(["list"]);
  });

  it("reads a single new object by GET", async () => {
    const collection = new NewCollection([{ id: "a" }]);
    await collection.read("a");
    expect(collection.requests).toEqual(["GET a"]);
  });

  it("reads objects that may not be ready by list only", async () => {
    const collection = new NewCollection([{ id: "a" }, { id: "b", status: "creating" }]);
    const { readIfReady } = collection;
    expect(await readIfReady("a", "b", "c")).toEqual(["a", undefined, undefined]);
    expect(await readIfReady("a")).toEqual([undefined]);
    expect(collection.requests).toEqual(["list"]);
  });

  it("reads by GET what the list does not show", async () => {
    const collection = new NewCollection([{ id: "a" }, { id: "b", status: "creating" }]);
    expect(await collection.read("a", "b", "c")).toEqual(["a", "b", "c"]);
    expect(collection.requests).toEqual(["list", "GET b", "GET c"]);
  });

  it("reads no second list after an empty or refused one", async () => {
    const [late, refused] = [new NewCollection([]), new NewCollection([])];
    refused.failure = forbidden();
    for (const collection of [late, refused]) {
      await collection.read("a", "b");
      await collection.read("c", "d");
      expect(collection.requests).toEqual(["list", "GET a", "GET b", "GET c", "GET d"]);
    }
  });

  it("reads a deleted object by GET", async () => {
    const collection = new NewCollection([{ id: "a" }]);
    expect(await collection.read("a", "gone")).toEqual(["a", "NotFoundError"]);
  });
});
