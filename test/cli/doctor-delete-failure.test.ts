import { send } from "../functions/support";
import { answer, dropBefore, failedOperations, hidden } from "../support/proxy/actions";
import { forEachTest } from "../support/suite";
import { VirtualClock } from "../support/virtual-clock";
import { LeftVolume } from "./doctor-delete-fixture";

const left = forEachTest(() => LeftVolume.make());

it("names the failed operation of a deletion that stays in progress", async () => {
  const proxy = await left.proxied();
  proxy.on({ method: "GET", path: /operations/ }, failedOperations);
  const shown = await send(left.api, "GET", `/v1/compute/volumes/${left.id}`);
  proxy.on({ method: "DELETE" }, (request, forward) => {
    proxy.on({ method: "GET", path: new RegExp(`${left.id}$`) }, answer(200, { ...shown, status: "deleting" }));
    return failedOperations(request, forward);
  });
  const { stderr } = await left.expectDelete(1, [1, 1], "with the status deleting", {
    clock: new VirtualClock(Date.now()),
  });
  expect(stderr).toMatch(/operation .*failed/);
});

it("keeps an object that a replica hides after a repeated deletion", async () => {
  const proxy = await left.proxied();
  proxy.on({ method: "DELETE", nth: 1 }, dropBefore);
  proxy.on({ method: "DELETE", nth: 2 }, (request, forward) => {
    proxy.on({ method: "GET", path: new RegExp(`${left.id}$`), nth: [1, 2, 3, 4] }, hidden);
    return hidden(request, forward);
  });
  await left.expectDelete(1, [1, 0], "404");
});
