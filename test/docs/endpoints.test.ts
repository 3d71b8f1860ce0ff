import { lookups } from "../../src/functions/lookups/lookup-registry";
import { definitions } from "../../src/resources/definitions";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { endpointsPage } from "../../tools/docs/endpoints-page.cjs";
import { pageText, tableAfter } from "./support/markdown";

const endpoints = [...endpointsOf("nirvana"), ...endpointsOf("spec")];

describe("docs/endpoints.md", () => {
  it("docs/endpoints.md is made from the sources", () => {
    expect(pageText("docs/endpoints.md")).toBe(endpointsPage({ endpoints, definitions, lookups }));
  });

  it("names each endpoint once, with its use or reason", () => {
    const rows = tableAfter("docs/endpoints.md", "used endpoints");
    expect(rows).toHaveLength(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size);
    expect(rows.filter(([, , use, reason]) => (use === "") === (reason === ""))).toEqual([]);
  });
});
