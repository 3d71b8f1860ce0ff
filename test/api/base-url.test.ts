import { parseBaseUrl } from "../../src/api/http/base-url";
import { encodePath } from "../../src/api/http/request";
import { ConfigurationError } from "../../src/api/errors";

describe("parseBaseUrl", () => {
  it.each([
    ["https://api.example.com", "https://api.example.com", ""],
    ["https://api.example.com/", "https://api.example.com", ""],
    ["https://api.example.com/cloud/eu//", "https://api.example.com", "/cloud/eu"],
    ["http://localhost:8080/x", "http://localhost:8080", "/x"],
    ["http://127.0.0.1:1", "http://127.0.0.1:1", ""],
    ["http://127.1:1", "http://127.0.0.1:1", ""],
    ["http://[::1]:1", "http://[::1]:1", ""],
  ])("splits %s into origin and prefix", (text, origin, prefix) => {
    expect(parseBaseUrl(text)).toMatchObject({ origin, prefix });
  });

  it.each([
    ["not a URL", "api.example.com"],
    ["another protocol", "ftp://api.example.com"],
    ["http to another machine", "http://api.example.com"],
    ["http to a name that only looks like loopback", "http://localhost.example.com"],
    ["http to an address that only looks like loopback", "http://127.0.0.1.example.com"],
    ["with a query", "https://api.example.com/?a=1"],
    ["with a fragment", "https://api.example.com/#a"],
    ["with a password", "https://me:hunter2@api.example.com"],
  ])("refuses %s as a base URL", (_why, text) => {
    expect(() => parseBaseUrl(text)).toThrow(ConfigurationError);
  });

  it.each(["?", "#", "?a=1#b"])("suggests the base URL without %s", (end) => {
    expect(() => parseBaseUrl(`https://api.example.com/v2${end}`)).toThrow(/config set \S+:baseUrl https:\S+\/v2" or/);
  });

  it("does not repeat a password in the error", () => {
    expect(() => parseBaseUrl("https://me:hunter2@api.example.com")).toThrow(/^(?!.*hunter2)/);
  });

  it("allows http to another machine with allowInsecure", () => {
    expect(parseBaseUrl("http://api.example.com", true)).toMatchObject({ host: "api.example.com", isLoopback: false });
  });
});

describe("http://", () => {
  it.each([
    ["localhost", "localhost"],
    ["LOCALHOST", "localhost"],
    ["127.0.0.1", "127.0.0.1"],
    ["127.255.255.254", "127.255.255.254"],
    ["127.1", "127.0.0.1"],
    ["0x7f.1", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["017700000001", "127.0.0.1"],
    ["１２７.0.0.1", "127.0.0.1"],
    ["[::1]", "[::1]"],
    ["[0:0:0:0:0:0:0:1]", "[::1]"],
    ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
    ["127.0.0.1\\@evil.example", "127.0.0.1"], // the backslash begins the path
  ])("treats %s as this machine", (host, name) => {
    const { origin, isLoopback } = parseBaseUrl(`http://${host}/x`);
    expect([origin, isLoopback]).toEqual([`http://${name}`, true]);
  });

  it.each([
    ...["api.example.com", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1%2eevil.example"],
    ...["127-0-0-1.evil.example", "evil.localhost", "localhost.", "0.0.0.0", "0", "128.0.0.1", "126.255.255.255"],
    ...["192.168.0.1", "[::]", "[::2]", "[::ffff:0.0.0.0]", "[::ffff:10.0.0.1]", "[::127.0.0.1]"],
    ...["evil.example\\127.0.0.1", "evil.example/127.0.0.1"],
  ])("refuses another machine without TLS: %s", (host) => {
    expect(() => parseBaseUrl(`http://${host}`)).toThrow(/could read the API key.*cloudinfra:allowInsecure/);
    expect(parseBaseUrl(`http://${host}`, true).isLoopback).toBe(false);
  });

  it.each(["127.0.0.1@evil.example", "evil.example@127.0.0.1", "localhost:80@evil.example"])(
    "refuses %s even if http is allowed",
    (text) => {
      for (const allowInsecure of [true, false]) {
        expect(() => parseBaseUrl(`http://${text}`, allowInsecure)).toThrow(/user name or password/);
      }
    },
  );

  const malformed = ["127.0.0.1#@evil.example", "127.0.0.1?@evil.example", "localhost%00.evil.example", "[::1"];
  it.each([...malformed, "127.0.0.1:99999"])("refuses the base URL %s", (text) => {
    expect(() => parseBaseUrl(`http://${text}`)).toThrow(ConfigurationError);
  });
});

describe("encodePath", () => {
  it("percent-encodes a segment that would change the path", () => {
    expect(encodePath(["v1", "x/y", "a b", "ü?#%", "..a"])).toBe("/v1/x%2Fy/a%20b/%C3%BC%3F%23%25/..a");
  });

  it.each(["", ".", "..", "\ud800"])("refuses the segment %j", (segment) => {
    expect(() => encodePath(["v1", segment])).toThrow(ConfigurationError);
  });
});
