import { pathInputs } from "../../src/definition/definition";
import { isUnseen } from "../../src/lifecycle/kind/change-policy";
import { urnOf } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { plain, type Props } from "../support/mini-state";
import { argsOf, World } from "../support/world";
import { madeKinds } from "./support/claims";

const world = World.forSuite();

it.each(madeKinds)("an imported %s differs only in fields that the API hides", async (type, kind, definition) => {
  const args = argsOf(type, world.simulator);
  const { state } = await up(world.run(), type, args, undefined);
  const id = [...pathInputs(definition).map((input) => String(state.outs[input])), state.id].join("/");
  const found = await world
    .run()
    .of(type)
    .read(id, { __urn: urnOf(type, "x") });
  const [outs, inputs] = [plain(found.props) as Props, plain(found.inputs) as Props];
  const { fields } = await preview(world.run(), type, args, { ...state, outs, inputs });
  const differing = fields.filter((field) => !field.startsWith("__") && field !== "cost");
  const unseen = Object.keys(kind.policies).filter((field) => isUnseen(kind.policies[field], outs[field]));
  expect({ [`differences of an imported ${type}`]: differing }).toEqual({
    [`differences of an imported ${type}`]: unseen.sort(),
  });
});
