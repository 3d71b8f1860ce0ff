import fc from "fast-check";
import { Table } from "../../src/simulator/model/table";
import { answerPage } from "../../src/simulator/services/pages";

interface NamedObject {
  readonly id: string;
  readonly name: string;
}

interface Body {
  readonly items: readonly NamedObject[];
  readonly pagination: {
    readonly next_cursor: string | null;
    readonly previous_cursor: string | null;
    readonly total_count: number;
  };
}

/** What happens between two pages: a creation, or the deletion of an existing object. */
type Change = "create" | number;

const changes = fc.array(fc.oneof(fc.constant<Change>("create"), fc.nat()), { maxLength: 8 });

/** A list of changing objects, from a table as in the services. */
class Collection {
  readonly table = new Table<NamedObject>(() => "");
  /** In the order of their creation. */
  present: string[] = [];
  readonly deleted = new Set<string>();
  #made = 0;

  change(change: Change): void {
    if (change === "create") {
      const id = String(++this.#made);
      // Names repeat in no order, so sorting by them has ties.
      this.table.insert({ id, name: `name-${(this.#made * 7) % 5}` });
      this.present.push(id);
    } else if (this.present.length > 0) {
      const [id = ""] = this.present.splice(change % this.present.length, 1);
      this.table.remove(id);
      this.deleted.add(id);
    }
  }

  page(sort: string, limit: number, cursor: string | undefined): Body {
    const listing = { list: this.table.partition(""), sort, wire: (object: NamedObject) => object };
    return answerPage(listing, { cursor, limit }) as Body;
  }
}

const orders = ["created_at:asc", "created_at:desc", "name:asc", "name:desc,created_at:desc"];

it.each(orders)("a walk in the order %s shows each object once", (sort) => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.integer({ min: 1, max: 7 }),
      fc.array(changes, { maxLength: 12 }),
      (size, limit, between) => {
        const collection = new Collection();
        for (let count = 0; count < size; count += 1) collection.change("create");
        const atStart = [...collection.present];
        const met = new Set<string>();
        let cursor: string | undefined;
        for (let turn = 0; ; turn += 1) {
          const { items, pagination } = collection.page(sort, limit, cursor);
          expect(items.filter(({ id }) => collection.deleted.has(id) || met.has(id))).toEqual([]);
          for (const { id } of items) met.add(id);
          expect(pagination.total_count).toBe(collection.present.length);
          if (pagination.next_cursor === null) break;
          cursor = pagination.next_cursor;
          for (const change of between[turn] ?? []) collection.change(change);
        }
        expect(atStart.filter((id) => !collection.deleted.has(id) && !met.has(id))).toEqual([]);
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});

it.each(orders)("a walk in the order %s returns by the same pages", (sort) => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      (size, deleted, limit) => {
        const collection = new Collection();
        for (let count = 0; count < size; count += 1) collection.change("create");
        for (const index of deleted) collection.change(index);
        const pages: Body[] = [collection.page(sort, limit, undefined)];
        for (let next = pages[0]?.pagination.next_cursor; next; next = pages.at(-1)?.pagination.next_cursor) {
          if (pages.length > size) throw new Error("the walk does not end");
          pages.push(collection.page(sort, limit, next));
        }
        expect(pages.flatMap(({ items }) => items)).toHaveLength(collection.present.length);
        expect(pages[0]?.pagination.previous_cursor).toBeNull();
        for (let index = pages.length - 1; index > 0; index -= 1) {
          const back = collection.page(sort, limit, String(pages[index]?.pagination.previous_cursor));
          expect(back.items).toEqual(pages[index - 1]?.items);
        }
      },
    ),
    { numRuns: 100, seed: 7 },
  );
});
