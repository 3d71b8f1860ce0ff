import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { endpointsOf } from "../../src/simulator/services/endpoints";

it("docs/simulator.md lists the endpoints", () => {
  const text = readFileSync(resolve(__dirname, "../../docs/simulator.md"), "utf8");
  const [table = ""] = text.slice(text.indexOf("<!-- endpoints -->")).split(/\n## /);
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  const written = rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", ""))
      .join(" "),
  );
  const served = new Map<string, string[]>();
  for (const { path, method } of endpointsOf("spec")) served.set(path, [...(served.get(path) ?? []), method]);
  expect(written).toEqual(Array.from(served, ([path, methods]) => `${path} ${methods.join(", ")}`).sort());
});
