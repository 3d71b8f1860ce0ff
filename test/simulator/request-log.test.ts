import { keptText, RequestLog } from "../../src/simulator/model/records";

describe("the log of requests", () => {
  it("the last 100,000 are kept, in order", () => {
    const log = new RequestLog();
    for (let count = 1; count <= 250_000; count += 1) log.add("GET", `/${count}`);
    const paths = log.list().map(({ path }) => path);
    expect(paths).toEqual(Array.from({ length: 100_000 }, (_, index) => `/${150_001 + index}`));
  });

  it("the beginning of a long path is kept", () => {
    expect(new RequestLog().add("GET", `/${"p".repeat(10_000)}`).path).toBe(`/${"p".repeat(255)}`);
    expect(keptText("🗝".repeat(200))).toHaveLength(256);
  });
});
