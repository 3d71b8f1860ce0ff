import { join } from "node:path";
import { fileFault } from "../../src/text/file-fault";

it.each([
  [__dirname, "nothing can be made in"], // on a read-only disk
  [join(__dirname, "none"), "there is no folder"],
])("says why no folder can be made in %s", (parent, reason) => {
  expect(fileFault({ code: "ENOENT", path: join(parent, "journal") })).toContain(reason);
});
