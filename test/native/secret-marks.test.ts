import { asSecret } from "../../src/engine/values";
import { hasSecret, structOf, withMarksOf } from "../../src/native/messages";

const marked = (sent: object, props: object): unknown => withMarksOf(structOf({ ...sent }), { ...props });

describe("the engine's marks of secrets", () => {
  it("marks a property that was sent as a secret", () => {
    expect(marked({ key: asSecret("old"), name: "n" }, { key: "new", name: "m" })).toEqual({
      key: asSecret("new"),
      name: "m",
    });
  });

  it("marks secret members of objects, and whole lists", () => {
    const sent = { ssh: { publicKey: asSecret("k"), user: "u" }, tags: ["a", asSecret("b")] };
    expect(marked(sent, { ssh: { publicKey: "k", user: "u" }, tags: ["a", "b"] })).toEqual({
      ssh: { publicKey: asSecret("k"), user: "u" },
      tags: asSecret(["a", "b"]),
    });
  });

  it("marks a secret object once", () => {
    expect(marked({ all: asSecret({ a: 1 }), key: asSecret("k") }, { all: { a: 1 }, key: asSecret("k") })).toEqual({
      all: asSecret({ a: 1 }),
      key: asSecret("k"),
    });
  });

  it("marks nothing else", () => {
    expect(marked({ removed: asSecret("x") }, { removed: undefined, toString: "t" })).toEqual({
      removed: undefined,
      toString: "t",
    });
    expect(withMarksOf(undefined, { a: 1 })).toEqual({ a: 1 });
  });

  it("finds marks at any depth", () => {
    expect(hasSecret(structOf({ list: [{ a: asSecret("b") }] }))).toBe(true);
    expect(hasSecret(structOf({ list: [{ a: "b" }] }))).toBe(false);
    expect(hasSecret(undefined)).toBe(false);
  });
});
