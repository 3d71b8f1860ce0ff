import { randomUUID } from "node:crypto";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The setup of a test file, in one call. Use what it returns in tests and hooks only.

type Closable<T> = T & { readonly close?: () => unknown; readonly remove?: () => unknown };

/** One value for all tests of the file or the surrounding `describe`. `beforeEachTest` runs before each test. */
export function forSuite<T extends object>(make: () => T | Promise<T>, beforeEachTest?: (made: T) => unknown): T {
  const { present, begin, end } = lifetimeOf(make);
  beforeAll(begin);
  if (beforeEachTest) beforeEach(() => beforeEachTest(present()));
  afterAll(end);
  return standIn(present);
}

/** A new value for each test. */
export function forEachTest<T extends object>(make: () => T | Promise<T>): T {
  const { present, begin, end } = lifetimeOf(make);
  beforeEach(begin);
  afterEach(end);
  return standIn(present);
}

/**
 * The path of an empty folder, which exists in the tests and hooks of the file. If all of them are skipped, it never
 * exists.
 */
export function folderForSuite(name: string): string {
  const folder = join(realpathSync(tmpdir()), `cloudinfra-${name}-${randomUUID().slice(0, 8)}`);
  beforeAll(() => mkdirSync(folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function lifetimeOf<T extends object>(make: () => T | Promise<T>) {
  let made: Closable<T> | undefined;
  const present = (): Closable<T> => {
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

/** A proxy for the current value. Its methods are bound to that value. */
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
