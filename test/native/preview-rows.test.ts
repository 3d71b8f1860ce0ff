import { PreviewRows } from "../../src/native/preview-rows";

const URN = "urn:pulumi:dev::test::cloudinfra:index:Volume::data";

let told: string[];
let rows: PreviewRows;
beforeEach(() => {
  told = [];
  rows = new PreviewRows({
    line: (urn, severity, text) => {
      told.push(`${urn} ${severity}: ${text}`);
      return Promise.resolve();
    },
    status: () => undefined,
  });
});

describe("before it is known whether a run is a preview", () => {
  it("prints lines under the stack at once", async () => {
    await rows.line("", "warning", "interrupted");
    expect(told).toEqual([" warning: interrupted"]);
    await rows.know(false, URN);
    expect(told).toHaveLength(1);
  });

  it("prints previews' lines once, with any resource", async () => {
    await rows.ofPreview.line("", "warning", "no room");
    await rows.line(URN, "info", "create");
    await rows.show(URN);
    expect(told).toEqual([`${URN} info: create`]);
    await rows.know(true, URN);
    await rows.know(true, URN);
    expect(told.slice(1)).toEqual([" warning: no room"]);
    await rows.ofPreview.line("", "warning", "later");
    expect(told.slice(2)).toEqual([" warning: later"]);
  });

  it("an update does not print a preview's lines", async () => {
    await rows.ofPreview.line("", "warning", "no room");
    await rows.line(URN, "info", "create");
    await rows.know(false, URN);
    await rows.ofPreview.line("", "warning", "later");
    await rows.know(true, URN);
    expect(told).toEqual([]);
  });

  it("prints previews' lines with a failure", async () => {
    await rows.ofPreview.line("", "warning", "no room");
    await rows.line(URN, "warning", "of the row");
    await rows.showAll(URN);
    expect(told).toEqual([" warning: no room", `${URN} warning: of the row`]);
  });
});
