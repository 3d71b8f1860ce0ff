import fc from "fast-check";
import { OrderedList } from "../../src/simulator/model/ordered-list";

it("an ordered list equals a sorted array", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2500 }),
      fc.array(fc.integer({ min: 0, max: 2600 }), { maxLength: 2000 }),
      fc.nat(2600),
      (size, removed, position) => {
        const list = OrderedList.of(Array.from({ length: size }, (_, index) => index + 1));
        const gone = new Set(removed);
        for (const one of removed) list.remove(one);
        const left = Array.from({ length: size }, (_, index) => index + 1).filter((one) => !gone.has(one));
        expect(list.size).toBe(left.length);
        expect(Array.from(list.after(position), ({ value }) => value)).toEqual(left.filter((one) => one > position));
        expect(Array.from(list.before(position), ({ value }) => value)).toEqual(
          left.filter((one) => one < position).reverse(),
        );
      },
    ),
    { numRuns: 60 },
  );
});
