import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "../../src";
import { forSuite } from "../support/suite";
import { configure, startApi } from "./support";

const api = forSuite(() => startApi());
let warned: jest.SpyInstance;
beforeEach(() => {
  warned = jest.spyOn(pulumi.log, "warn").mockImplementation(() => Promise.resolve());
});
afterEach(() => warned.mockRestore());

const warnings = (): unknown[] => warned.mock.calls.map(([message]: unknown[]) => message);

it("warns once that the environment's key is used instead", async () => {
  configure(api, { apiKey: "of-yesterday-and-refused" });
  process.env["CLOUDINFRA_API_KEY"] = api.apiKey;
  expect(await cloudinfra.getRegions()).toHaveLength(3);
  await cloudinfra.getProjects();
  expect(warnings()).toEqual([expect.stringMatching(/refused .*cloudinfra:apiKey.*CLOUDINFRA_API_KEY/)]);
  expect(JSON.stringify(warnings())).not.toContain("of-yesterday-and-refused");
});

it("does not warn if nothing is wrong", async () => {
  configure(api);
  await cloudinfra.getRegions();
  expect(warnings()).toEqual([]);
});
