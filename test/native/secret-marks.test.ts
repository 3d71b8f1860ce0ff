import { specialSecretSig, specialSigKey, unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { asSecret, UNKNOWN } from "../../src/engine/values";
import { hasSecret, structOf, withMarksOf } from "../../src/native/messages";

it("the marks of secrets and unknown values are those of Pulumi's SDK", () => {
  expect([UNKNOWN, asSecret("key")]).toEqual([unknownValue, { [specialSigKey]: specialSecretSig, value: "key" }]);
});

it.each<[what: string, sent: object | undefined, props: object, marked: object]>([
  [
    "a property that was sent as a secret",
    { key: asSecret("old"), name: "n" },
    { key: "new", name: "m" },
    { key: asSecret("new"), name: "m" },
  ],
  [
    "secret members of objects, and whole lists",
    { ssh: { publicKey: asSecret("k"), user: "u" }, tags: ["a", asSecret("b")] },
    { ssh: { publicKey: "k", user: "u" }, tags: ["a", "b"] },
    { ssh: { publicKey: asSecret("k"), user: "u" }, tags: asSecret(["a", "b"]) },
  ],
  [
    "a secret object once",
    { all: asSecret({ a: 1 }), key: asSecret("k") },
    { all: { a: 1 }, key: asSecret("k") },
    { all: asSecret({ a: 1 }), key: asSecret("k") },
  ],
  [
    "nothing else",
    { removed: asSecret("x") },
    { removed: undefined, toString: "t" },
    { removed: undefined, toString: "t" },
  ],
  ["nothing if nothing was sent", undefined, { a: 1 }, { a: 1 }],
])("marks %s", (_case, sent, props, marked) => {
  expect(withMarksOf(sent && structOf({ ...sent }), { ...props })).toEqual(marked);
});

it("finds marks at any depth", () => {
  expect(hasSecret(structOf({ list: [{ a: asSecret("b") }] }))).toBe(true);
  expect(hasSecret(structOf({ list: [{ a: "b" }] }))).toBe(false);
  expect(hasSecret(undefined)).toBe(false);
});
