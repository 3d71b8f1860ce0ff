import { Operations } from "../../src/simulator/model/operations";
import { AuditLogs } from "../../src/simulator/model/records";
import { SimulatedClock } from "../../src/simulator/model/time";

const kept = 100_000;
const overflow = 1_000;

describe("what is left of changes", () => {
  it("the last 100,000 audit logs are kept", () => {
    const logs = new AuditLogs();
    const actor = { id: "owner", name: "owner", type: "user" } as const;
    for (let count = 1; count <= kept + overflow; count += 1) {
      const request = {
        method: "POST",
        path: "/v1/projects",
        status_code: 201,
        user_agent: "",
        client_ip: "127.0.0.1",
      };
      const created_at = "2026-03-01T12:00:00Z";
      logs.insert({ id: String(count), action: "project.create", actor, created_at, target: null, ...request });
    }
    expect(logs.size).toBe(kept);
    expect(logs.partition("").size).toBe(kept);
    expect(Array.from(logs.partition("").after(0), ({ value }) => value.id).at(0)).toBe(String(overflow + 1));
    expect(logs.get(String(overflow))).toBeUndefined();
    expect(logs.get(String(kept + overflow))).toBeDefined();
  });

  describe("operations", () => {
    const clock = new SimulatedClock({ now: () => 0 });
    const operations = new Operations(clock, 8000);
    const start = (resourceId: string, fault?: "never" | "fail") =>
      operations.start({
        ...{ kind: "vpc", type: "update", projectId: "project", resourceId, fault },
        onDone: () => undefined,
        onFailed: () => undefined,
      });

    it("keeps 100,000 ended operations, and all running ones", () => {
      const hanging = start("hanging", "never");
      const ended = Array.from({ length: kept + overflow }, (_, index) =>
        start(String(index), index % 2 ? "fail" : undefined),
      );
      expect(operations.table.size).toBe(kept + overflow + 1);
      clock.advance(8000);
      operations.applyDue();
      expect(operations.table.size).toBe(kept + 1);
      expect(operations.table.get(hanging.id)).toBe(hanging);
      expect(ended.filter(({ id }) => operations.table.get(id)).map(({ resourceId }) => resourceId)).toEqual(
        Array.from({ length: kept }, (_, index) => String(overflow + index)),
      );
    });
  });
});
