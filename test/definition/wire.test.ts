import { define } from "../../src/definition/definition";
import { flag, instant, integer, list, object, text } from "../../src/definition/field";
import { fromWire, inputName, toWire, toWireUpdate } from "../../src/definition/wire";

const NOW = Date.parse("2026-03-01T12:00:00Z");

/** A kind with a field of each sort that requests and answers treat differently. */
const shelf = define({
  type: "Shelf",
  noun: "shelf",
  path: "/v1/rooms/{roomId}/walls/{wallId}/shelves",
  inputs: {
    roomId: text({ change: "replace" }),
    wallId: text({ change: "replace" }),
    widthMm: integer(),
    tags: list(text(), { default: [] }),
    builtAt: instant({ optional: true, change: "replace" }),
    books: list(object({ bookTitle: text(), isLent: flag({ optional: true }) }), { optional: true }),
    isLocked: flag({ optional: true, actions: () => [{ verb: "lock" }] }),
    note: text({ optional: true, local: true }),
    pin: text({ optional: true, shown: "never" }),
    owner: text({ optional: true, wireName: "owner_name", shownAt: ["owner", "name"] }),
  },
  outputs: { status: text(), weight: integer({ optional: true }) },
});

describe("a member name of the API, translated for the program", () => {
  it.each([
    ["width_mm", "widthMm"],
    ["owner_name", "owner"],
    ["tags[3]", "tags[3]"],
    ["books[0].book_title", "books[0].bookTitle"],
    ["books[0].pages", "books[0].pages"],
    ["books", "books"],
    ["width_mm.unit", "widthMm.unit"],
    ["unknown_member.x", "unknown_member.x"],
    ["room_id", "room_id"],
  ])("translates %s to %s", (member, name) => {
    expect(inputName(shelf, member)).toBe(name);
  });
});

describe("the body of a request", () => {
  const inputs = {
    ...{ roomId: "r", wallId: "w", widthMm: 900, note: "mine", pin: "1234", isLocked: true },
    ...{ builtAt: "2026-03-01T13:00:00+01:00", books: [{ bookTitle: "Emma" }], owner: "Ann" },
  };

  it("sends all fields except those of the path in a creation", () => {
    expect(toWire(shelf, inputs, NOW)).toEqual({
      ...{ width_mm: 900, tags: [], pin: "1234", is_locked: true },
      ...{ built_at: "2026-03-01T12:00:00.000Z", books: [{ book_title: "Emma" }], owner_name: "Ann" },
    });
  });

  it("changes only fields that an update takes", () => {
    const changed = ["roomId", "widthMm", "builtAt", "isLocked", "note", "owner"];
    expect(toWireUpdate(shelf, inputs, changed, NOW)).toEqual({ width_mm: 900, owner_name: "Ann" });
  });

  it("clears a removed field with its default, or with null", () => {
    expect(toWireUpdate(shelf, {}, ["tags", "owner"], NOW)).toEqual({ tags: [], owner_name: null });
  });
});

describe("an answer", () => {
  it("reads null as a missing value in inputs and outputs", () => {
    const wire = { width_mm: 900, owner: { name: "Ann" }, books: null, status: null, weight: 7 };
    const shown = fromWire(shelf, { ...wire, pin: "1234", note: "theirs" });
    expect(shown).toMatchObject({ widthMm: 900, owner: "Ann", books: null, weight: 7 });
    for (const name of ["tags", "builtAt", "pin", "note", "status"])
      expect([name, shown[name]]).toEqual([name, undefined]);
  });

  it("leaves out null members of listed objects", () => {
    const books = [{ book_title: "Emma", is_lent: null, pages: 400 }];
    expect(fromWire(shelf, { books })["books"]).toStrictEqual([{ bookTitle: "Emma" }]);
  });

  it("reads no nested value from a string", () => {
    expect(fromWire(shelf, { owner: "Ann" })["owner"]).toBeUndefined();
  });
});
