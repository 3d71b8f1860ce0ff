import { PreviewRows } from "../../src/native/preview-rows";

const URN = "urn:pulumi:dev::test::cloudinfra:index:Volume::data";

let messages: string[];
let rows: PreviewRows;
beforeEach(() => {
  messages = [];
  rows = new PreviewRows({
    line: (urn, severity, text) => {
      messages.push(`${urn} ${severity}: ${text}`);
      return Promise.resolve();
    },
    status: () => undefined,
  });
});

describe("before it is known whether a run is a preview", () => {
  it("prints lines under the stack at once", async () => {
    await rows.line("", "warning", "interrupted");
    expect(messages).toEqual([" warning: interrupted"]);
    await rows.know(false, URN);
    expect(messages).toHaveLength(1);
  });

  it("prints a preview's messages once, with the first resource", async () => {
    await rows.ofPreview.line("", "warning", "no room");
    await rows.line(URN, "info", "create");
    await rows.show(URN);
    expect(messages).toEqual([`${URN} info: create`]);
    await rows.know(true, URN);
    await rows.know(true, URN);
    expect(messages.slice(1)).toEqual([" warning: no room"]);
    await rows.ofPreview.line("", "warning", "later");
    expect(messages.slice(2)).toEqual([" warning: later"]);
  });

  it("forgets a former run", async () => {
    await rows.know(true, URN);
    rows.forget();
    await rows.line(URN, "info", "create");
    expect([rows.isPreview, messages]).toEqual([undefined, []]);
  });

  it("an update does not print a preview's lines", async () => {
    await rows.ofPreview.line("", "warning", "no room");
    await rows.line(URN, "info", "create");
    await rows.know(false, URN);
    await rows.ofPreview.line("", "warning", "later");
    await rows.know(true, URN);
    expect(messages).toEqual([]);
  });

  it("drops the messages of an earlier check in an update", async () => {
    rows.begin(URN);
    await rows.know(false, `${URN}-2`);
    await rows.line(URN, "info", "+$10.00/mo");
    await rows.know(false, URN);
    expect(messages).toEqual([]);
    await rows.line(URN, "info", "of the update");
    expect(messages).toEqual([`${URN} info: of the update`]);
  });

  it("prints previews' lines with a failure", async () => {
    await rows.ofPreview.line("", "warning", "no room");
    await rows.line(URN, "warning", "of the row");
    await rows.showAll(URN);
    expect(messages).toEqual([" warning: no room", `${URN} warning: of the row`]);
  });
});
