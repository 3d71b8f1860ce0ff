import { autoName } from "../../src/lifecycle/names";
import { urnOf } from "../support/lifecycle";

describe("a name that the package chooses", () => {
  it("when the logical name is short, it is that with seven hex characters", () => {
    expect(autoName(urnOf("FirewallRule", "web"), 0)).toMatch(/^web-[0-9a-f]{7}$/);
  });

  it.each([0, 1])("when the cut falls into a character of two halves, the character goes as a whole (%i)", (shift) => {
    const name = autoName(urnOf("FirewallRule", "a".repeat(shift) + "\u{1f600}".repeat(200)), 0);
    expect(Buffer.from(name).toString()).toBe(name); // half a character does not survive it
    expect(name.length).toBeLessThanOrEqual(255);
    expect(name.length).toBeGreaterThanOrEqual(253);
  });
});
