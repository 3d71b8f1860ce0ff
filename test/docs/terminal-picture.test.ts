import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./support/markdown";

const ESC = "\u001b";
const folder = mkdtempSync(join(tmpdir(), "cloudinfra-picture-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function draw(recording: string): { readonly code: number | null; readonly svg: string; readonly error: string } {
  const file = join(folder, "recording");
  writeFileSync(file, recording);
  const args = [join(ROOT, "tools/docs/terminal-picture.mjs"), file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { code: status, svg: stdout, error: stderr };
}

it("when a line is drawn again, the picture has the last of it, and nothing of what was longer before", () => {
  const { code, svg } = draw(`creating...\r\n${ESC}[1Acreated${ESC}[K\r\n`);
  expect(code).toBe(0);
  expect(svg).toContain(">created</tspan>");
  expect(svg).not.toContain("creating");
});

it("when text is coloured and bold, the picture shows it so, and markup in it is text", () => {
  const { svg } = draw(`${ESC}[38;5;2m${ESC}[1m<ok>${ESC}[0m  next\r\n`);
  expect(svg).toMatch(/<tspan [^>]*fill="#3fb950" font-weight="bold">&lt;ok&gt;<\/tspan><tspan [^>]*>next</);
});

it("when the recording has a sequence that it does not know, it fails and names it, and draws nothing", () => {
  const { code, svg, error } = draw(`a${ESC}[5Sb`);
  expect([code, svg]).toEqual([1, ""]);
  expect(error).toContain("does not know: 5S");
});
