import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileFault } from "../../src/text/file-fault";
import { folderForSuite } from "../support/suite";

const folder = folderForSuite("file-fault");

it("names the missing folder of a file that cannot be written", async () => {
  const missing = join(folder, "missing");
  const error: unknown = await writeFile(join(missing, "x.tmp"), "").catch((reason: unknown) => reason);
  expect(fileFault(error)).toBe(`there is no folder ${missing}`);
});
