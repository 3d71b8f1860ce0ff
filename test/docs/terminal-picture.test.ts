import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./support/markdown";
import { folderForSuite } from "../support/suite";

const ESC = "\u001b";
const folder = folderForSuite("picture");

function draw(recording: string): { readonly code: number | null; readonly svg: string; readonly error: string } {
  const file = join(folder, "recording");
  writeFileSync(file, recording);
  const args = [join(ROOT, "tools/docs/terminal-picture.mjs"), file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { code: status, svg: stdout, error: stderr };
}

it("keeps the last version of a line only", () => {
  const { code, svg } = draw(`creating...\r\n${ESC}[1Acreated${ESC}[K\r\n`);
  expect(code).toBe(0);
  expect(svg).toContain(">created</tspan>");
  expect(svg).not.toContain("creating");
});

it("shows colours and bold, and escapes markup", () => {
  const { svg } = draw(`${ESC}[38;5;2m${ESC}[1m<ok>${ESC}[0m  next\r\n`);
  expect(svg).toMatch(/<tspan [^>]*fill="#3fb950" font-weight="bold">&lt;ok&gt;<\/tspan><tspan [^>]*>next</);
});

it("fails at an unknown sequence, and names it", () => {
  const { code, svg, error } = draw(`a${ESC}[5Sb`);
  expect([code, svg]).toEqual([1, ""]);
  expect(error).toContain("does not know: 5S");
});
