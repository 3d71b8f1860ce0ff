import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRunNotes, runNotes, type RunNote } from "../../src/cost/run-notes";
import { folderForSuite } from "../support/suite";

const file = join(folderForSuite("run-notes"), "notes");
const notes = runNotes({ CLOUDINFRA_RUN_NOTES: file });
const note: RunNote = { note: "lookup", name: "getVpcs", path: "/v1/networking/vpcs" };

it("a note that is lost shows in spite of later notes", () => {
  writeFileSync(file, "");
  notes?.add(note);
  expect(readRunNotes(file)).toEqual([note]);
  notes?.add({ ...note, path: 1n as never }); // no JSON can be written
  notes?.add(note);
  expect([existsSync(file), readRunNotes(file)]).toEqual([false, undefined]);
});
