import type { FaultEffects } from "../../../src/simulator/model/faults";
import type { Effect } from "./fault";

/** The simulator's own fault for an effect. */
export function simulatorFaultOf(effect: Effect): FaultEffects {
  switch (effect.kind) {
    case "status":
      return { status: effect.status };
    case "dropped before the effect":
      return { drop: "before" };
    case "dropped after the effect":
      return { drop: "after" };
    case "truncated body":
      return { truncate: true };
    case "failed operation":
    case "failed operation that vanishes":
      return { operation: "fail" };
    case "operation that never ends":
      return { operation: "never" };
    default:
      throw new Error(`"${effect.kind}" is not the simulator's`);
  }
}
