import { classifyFailure } from "../../src/api/errors/connection-error";

const failed = (code: string): Error => Object.assign(new Error("failed"), { code });

describe("classifyFailure", () => {
  it.each`
    code                                    | started  | failure          | effect
    ${"ENOTFOUND"}                          | ${false} | ${"dns"}         | ${"none"}
    ${"EAI_AGAIN"}                          | ${false} | ${"dns"}         | ${"none"}
    ${"ECONNREFUSED"}                       | ${false} | ${"refused"}     | ${"none"}
    ${"ETIMEDOUT"}                          | ${false} | ${"unreachable"} | ${"none"}
    ${"EHOSTUNREACH"}                       | ${false} | ${"unreachable"} | ${"none"}
    ${"UND_ERR_CONNECT_TIMEOUT"}            | ${false} | ${"unreachable"} | ${"none"}
    ${"ECONNRESET"}                         | ${false} | ${"unreachable"} | ${"none"}
    ${"CERT_HAS_EXPIRED"}                   | ${false} | ${"tls"}         | ${"none"}
    ${"ERR_SSL_WRONG_VERSION_NUMBER"}       | ${false} | ${"tls"}         | ${"none"}
    ${"ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"} | ${false} | ${"unreachable"} | ${"none"}
    ${"ECONNRESET"}                         | ${true}  | ${"broken"}      | ${"unknown"}
    ${"EPIPE"}                              | ${true}  | ${"broken"}      | ${"unknown"}
    ${"ETIMEDOUT"}                          | ${true}  | ${"broken"}      | ${"unknown"}
    ${"UND_ERR_SOCKET"}                     | ${true}  | ${"broken"}      | ${"unknown"}
    ${"ERR_SSL_BAD_RECORD_MAC"}             | ${true}  | ${"broken"}      | ${"unknown"}
  `(
    "$code, request sent: $started: $failure with effect $effect",
    ({ code, started, ...expected }: { code: string; started: boolean }) => {
      expect(classifyFailure(failed(code), started)).toEqual({ code, ...expected });
    },
  );

  it("uses the first code if several addresses were tried", () => {
    const cause = new AggregateError([failed("ECONNREFUSED"), failed("EHOSTUNREACH")]);
    expect(classifyFailure(cause, false)).toMatchObject({ failure: "refused" });
  });

  it("finds the code of a cause", () => {
    expect(classifyFailure(new Error("outer", { cause: failed("ENOTFOUND") }), false)).toMatchObject({
      failure: "dns",
    });
  });

  it("classifies a failure without a code by what was sent", () => {
    expect(classifyFailure("what?", false)).toMatchObject({ failure: "unreachable", effect: "none" });
    expect(classifyFailure(undefined, true)).toMatchObject({ failure: "broken", effect: "unknown" });
  });
});
