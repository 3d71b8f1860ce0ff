import type { Api } from "../../src/api/client";
import { AuditLogReader } from "../../src/lifecycle/recovery/audit-log-reader";
import { VirtualClock } from "../support/virtual-clock";

/** A reader that counts its requests. The API's time has whole seconds. */
function reader() {
  const clock = new VirtualClock(1_000_900);
  const asked: number[] = [];
  const api = {
    dialect: "spec",
    serverNow: () => Math.floor(clock.now() / 1000) * 1000,
    auditLogs: {
      // eslint-disable-next-line @typescript-eslint/require-await -- an empty log
      async *list() {
        asked.push(clock.now());
        yield* [];
      },
    },
  } as unknown as Api;
  return { clock, asked, audit: new AuditLogReader(clock, () => api) };
}

describe("AuditLogReader", () => {
  it("reads again for a request sent after the last reading", async () => {
    const { clock, asked, audit } = reader();
    await audit.read(0);
    clock.advance(50);
    await audit.read(0);
    expect(asked).toHaveLength(2);
  });

  it("shares one reading among concurrent callers", async () => {
    const { asked, audit } = reader();
    await Promise.all([audit.read(0), audit.read(0), audit.read(0)]);
    expect(asked).toHaveLength(1);
  });

  it("shares a young copy, unless the clock went back", async () => {
    const { clock, asked, audit } = reader();
    await audit.read(0);
    clock.advance(900);
    await audit.read(0, 1_000);
    expect(asked).toHaveLength(1);
    clock.advance(200);
    await audit.read(0, 1_000);
    expect(asked).toHaveLength(2);
    clock.advance(-60_000);
    await audit.read(0, 1_000);
    expect(asked).toHaveLength(3);
  });
});
