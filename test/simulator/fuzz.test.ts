import fc from "fast-check";
import type { Dialect } from "../../src/simulator/model/catalogs";
import { attemptsOf, type Operation, operationsOf } from "./support/documented";
import { harnessForSuite, withHarness } from "./support/harness";
import { knownValues, populate } from "./support/populated";

/** For a longer search: more requests of each operation, or another seed. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 30);
const seed = Number(process.env["FUZZ_SEED"] ?? 1);

jest.setTimeout(600_000 + runs * 1000);

/** The documentation of an operation, as text. */
const textOf = ({ method, path, parameters, body, responses }: Operation): string =>
  JSON.stringify([method, path, parameters, body, responses]);

/** Reads change nothing, and neither do quotes and availability checks. */
const changesSomething = ({ method, path }: Operation): boolean =>
  method !== "GET" && !/\/(cost|availability)$/.test(path);

describe.each<Dialect>(["spec", "nirvana"])("every operation of the document, in the dialect %s", (dialect) => {
  const api = harnessForSuite({ dialect, operationTime: "0" }, { keeps: true });
  let operations: Operation[];
  beforeAll(async () => {
    const known = new Set(dialect === "spec" ? [] : (await withHarness({}, operationsOf)).map(textOf));
    // An operation that is the same in both dialects is tested in one. Reads come first, because they change nothing.
    operations = (await operationsOf(api)).filter((operation) => !known.has(textOf(operation)));
    operations.sort((a, b) => Number(changesSomething(a)) - Number(changesSomething(b)));
  });

  it("answers as documented, whatever is sent", async () => {
    let ids = await populate(api);
    for (const operation of operations) {
      const { method, path, success } = operation;
      if (changesSomething(operation)) {
        api.reset();
        ids = await populate(api);
      }
      const statuses = new Set<number>();
      const answersAsDocumented = fc.asyncProperty(
        attemptsOf(operation, ids, knownValues(api, ids)),
        async ({ target, ...sending }) => {
          const reply = await api.call(method, target, sending);
          statuses.add(reply.status);
          const requestId = reply.status >= 400 ? reply.headers["x-request-id"] : reply.body["request_id"];
          expect([reply.status, operation.problemOf(reply), reply.body["request_id"]]).toEqual([
            reply.status,
            undefined,
            requestId,
          ]);
        },
      );
      await fc.assert(answersAsDocumented, { seed, numRuns: runs });
      // A search without a successful request proves nothing.
      expect([method, path, [...statuses]]).toEqual([method, path, expect.arrayContaining([success])]);
      const isPlain = operation.parameters.length === 0 && !operation.body;
      expect([method, path, statuses.size > 1]).toEqual([method, path, !isPlain]);
    }
  });
});
