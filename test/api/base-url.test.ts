import { encodePath, parseBaseUrl } from "../../src/api/base-url";
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
  ])("when it is %s, origin and prefix are told apart", (text, origin, prefix) => {
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
  ])("when it is %s, it is refused", (_why, text) => {
    expect(() => parseBaseUrl(text)).toThrow(ConfigurationError);
  });

  it("when it holds a password, the refusal does not repeat it", () => {
    expect(() => parseBaseUrl("https://me:hunter2@api.example.com")).toThrow(/^(?!.*hunter2)/);
  });

  it("when http is explicitly allowed, another machine will do", () => {
    expect(parseBaseUrl("http://api.example.com", true)).toMatchObject({ host: "api.example.com", isLoopback: false });
  });
});

describe("encodePath", () => {
  it("when a segment holds what would change the path, it is percent-encoded", () => {
    expect(encodePath(["v1", "x/y", "a b", "ü?#%", "..a"])).toBe("/v1/x%2Fy/a%20b/%C3%BC%3F%23%25/..a");
  });

  it.each(["", ".", "..", "\ud800"])("when a segment is %j, it is refused", (segment) => {
    expect(() => encodePath(["v1", segment])).toThrow(ConfigurationError);
  });
});
