import { define } from "../../src/definition/definition";
import { text } from "../../src/definition/field";
import { importId, parseImportId } from "../../src/definition/import-id";

const shelf = define({
  type: "Shelf",
  noun: "shelf",
  path: "/v1/rooms/{roomId}/walls/{wallId}/shelves",
  inputs: { roomId: text({ change: "replace" }), wallId: text({ change: "replace" }) },
  outputs: {},
});

describe("the import id of an object inside others", () => {
  it("reads the parents' ids from the import id", () => {
    const parsed = { id: "s3", inputs: { roomId: "r1", wallId: "w2" } };
    expect(parseImportId(shelf, "r1/w2/s3")).toEqual(parsed);
    expect(importId(shelf, parsed.id, parsed.inputs)).toBe("r1/w2/s3");
  });

  it.each(["s3", "w2/s3", "r1/w2/s3/x"])("takes an import id that is %s as the API's id", (id) => {
    expect(parseImportId(shelf, id)).toEqual({ id, inputs: {} });
  });

  it("ignores a slash for a kind without a parent", () => {
    const room = define({ type: "Room", noun: "room", path: "/v1/rooms", inputs: {}, outputs: {} });
    expect(parseImportId(room, "r1/w2")).toEqual({ id: "r1/w2", inputs: {} });
  });
});
