import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What the head of a file of tests needs, in one call. What it returns is there in tests and hooks only.

type Made<T> = T & { readonly close?: () => unknown; readonly remove?: () => unknown };

/** One for all tests of the file, or of the `describe` around it. `beforeEachTest`: what is done with it before each. */
export function forSuite<T extends object>(make: () => T | Promise<T>, beforeEachTest?: (made: T) => unknown): T {
  const { present, begin, end } = place(make);
  beforeAll(begin);
  if (beforeEachTest) beforeEach(() => beforeEachTest(present()));
  afterAll(end);
  return standIn(present);
}

/** A new one for each test. */
export function forEachTest<T extends object>(make: () => T | Promise<T>): T {
  const { present, begin, end } = place(make);
  beforeEach(begin);
  afterEach(end);
  return standIn(present);
}

/** An empty folder for the tests of the file. It is there at once. */
export function folderForSuite(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `cloudinfra-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function place<T extends object>(make: () => T | Promise<T>) {
  let made: Made<T> | undefined;
  const present = (): Made<T> => {
    if (made === undefined) throw new Error("it is not there yet: use it in a test or a hook");
    return made;
  };
  return {
    present,
    begin: async () => void (made = await make()),
    end: async () => {
      await made?.close?.();
      await made?.remove?.();
      made = undefined;
    },
  };
}

/** Reads and writes go to the present one, methods are its own. */
function standIn<T extends object>(present: () => T): T {
  return new Proxy({} as T, {
    get: (_none, name) => {
      const value: unknown = Reflect.get(present(), name);
      return typeof value === "function" ? (value.bind(present()) as unknown) : value;
    },
    set: (_none, name, value) => Reflect.set(present(), name, value),
    defineProperty: (_none, name, descriptor) => Reflect.defineProperty(present(), name, descriptor),
  });
}
