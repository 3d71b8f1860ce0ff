import { EntryOrder } from "../../src/api/lists/audit-log";

it.each<[boolean, readonly number[], boolean]>([
  [false, [], false],
  [false, [1], false],
  [false, [3, 2, 1], true],
  [false, [3, 3, 2], true],
  [false, [3, 3, 3], false],
  [false, [1, 2, 3], false],
  [false, [3, 2, 4], false],
  [false, [3, 5, 1], false],
  [true, [], true],
  [true, [3, 2, 1], true],
  [true, [3, 3], true],
  [true, [1, 2], false],
])("newest first: %p, seen: %j, rest earlier: %p", (isNewestFirst, times, is) => {
  const order = new EntryOrder(isNewestFirst);
  for (const time of times) order.see(time);
  expect(order.isNewestFirst).toBe(is);
});
