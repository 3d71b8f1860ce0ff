import { fitForTerminal, fitToShow, keepUnshown } from "../src/shown-text";

const SECRET = "canary-shown-text-Zm9vYmFy";
beforeAll(() => keepUnshown(SECRET));

it.each([
  ["an escape sequence", "\u001b[2J\u001b]0;title\u0007x", "[2J ]0;title x"],
  ["a control character of the second set", "a\u009b31mb", "a 31mb"],
  ["what turns the direction of writing", "abc\u202edcba\u2066x", "abc dcba x"],
  ["a carriage return", "good\rbad", "good bad"],
  ["other line breaks", "a\u2028b\u2029c\u0085d", "a b c d"],
])("when a text has %s, it is made harmless", (_what, text, shown) => {
  expect(fitToShow(text).trim()).toBe(shown);
});

it("when a text has lines, it keeps them", () => {
  expect(fitToShow("one\n  - two")).toBe("one\n  - two");
});

it.each(["utf8", "base64", "base64url", "hex"] as const)(
  "when a secret that was seen is echoed as %s, it is taken out",
  (form) => {
    expect(fitToShow(`before ${Buffer.from(SECRET).toString(form)} after`)).toBe("before [credential] after");
  },
);

it("when a word is too short for a secret, it stays: it stands in too many texts", () => {
  keepUnshown("rule");
  expect(fitToShow("firewall rule")).toBe("firewall rule");
});

it("when the command line prints colours of its own, they stay, and others' sequences do not", () => {
  const own = "\u001b[31mred\u001b[39m \r\u001b[2Kdone";
  expect(fitForTerminal(`${own} \u001b[8mhidden\u001b]52;c;x\u0007 ${SECRET}`)).toBe(
    `${own}  [8mhidden ]52;c;x  [credential]`,
  );
});
