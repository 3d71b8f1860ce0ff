import { redactedForTerminal, redacted, isMasked, maskInput, maskSecret } from "../../src/text/redaction";

const SECRET = "canary-shown-text-Zm9vYmFy";
beforeAll(() => maskSecret(SECRET));

it.each([
  ["an escape sequence", "\u001b[2J\u001b]0;title\u0007x", "[2J ]0;title x"],
  ["a C1 control character", "a\u009b31mb", "a 31mb"],
  ["a change of the writing direction", "abc\u202edcba\u2066x", "abc dcba x"],
  ["a carriage return", "good\rbad", "good bad"],
  ["other line breaks", "a\u2028b\u2029c\u0085d", "a b c d"],
])("makes a text with %s harmless to a terminal", (_case, text, shown) => {
  expect(redacted(text).trim()).toBe(shown);
});

it("keeps the lines of a text", () => {
  expect(redacted("one\n  - two")).toBe("one\n  - two");
});

it.each(["utf8", "base64", "base64url", "hex"] as const)("removes a secret that is echoed as %s", (form) => {
  expect(redacted(`before ${Buffer.from(SECRET).toString(form)} after`)).toBe("before [credential] after");
});

it("keeps a secret that is too short to remove", () => {
  maskSecret("rule");
  expect(redacted("firewall rule")).toBe("firewall rule");
});

it("keeps the command line's own colours, but no others", () => {
  const own = "\u001b[31mred\u001b[39m \r\u001b[2Kdone";
  expect(redactedForTerminal(`${own} \u001b[8mhidden\u001b]52;c;x\u0007 ${SECRET}`)).toBe(
    `${own}  [8mhidden ]52;c;x  [credential]`,
  );
});

describe("a short secret input", () => {
  const urn = "urn:pulumi:dev::test::cloudinfra:index:Volume::x";
  beforeAll(() => {
    for (const input of ["80", 'say "hi"', " "]) maskInput(urn, input);
  });

  it.each([
    ["as a word", "is 80, not 80.", "is [secret], not [secret]."],
    ["in quotes", '"80"', '"[secret]"'],
    ["in JSON", '["say \\"hi\\""]', '["[secret]"]'],
    ["except in longer words and amounts", "a80 80b 4000-80-1 10.0.0.0/80 $80.00 3.80 80.5"],
  ])("removes a short secret from its resource's texts %s", (_where, text, shown = text) => {
    expect(redacted(text, urn)).toBe(shown);
  });

  it("keeps a short secret in texts of other resources", () => {
    expect(redacted("is 80")).toBe("is 80");
    expect([isMasked(urn, "80"), isMasked("another", "80"), isMasked(urn, " ")]).toEqual([true, false, false]);
  });
});

it("removes a long secret input everywhere", () => {
  maskInput("urn", 'first "line"\n  second line');
  expect(redacted('first "line" second line')).toBe("[secret]");
  expect(redacted('first \\"line\\"\\n  second line')).toBe("[secret]");
});
