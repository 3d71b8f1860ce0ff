import { join } from "node:path";
import { fileFault } from "../../src/text/file-fault";

it.each([
  [__dirname, "its disk may be read-only"], // as Node reports it
  [join(__dirname, "none"), "there is no folder"],
])("says why no folder can be made in %s", (parent, reason) => {
  expect(fileFault({ code: "ENOENT", path: join(parent, "journal") })).toContain(reason);
});
