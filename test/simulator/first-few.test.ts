import fc from "fast-check";
import { FirstFew } from "../../src/simulator/services/pages";

it("keeps the first few values, sorted", () => {
  const descending = (a: number, b: number): number => b - a;
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (values, most) => {
      const few = new FirstFew<number>(most, descending);
      for (const [index, value] of values.entries()) {
        few.add(value);
        expect(few.values.length).toBe(Math.min(index + 1, most));
      }
      expect(few.values).toEqual(values.toSorted(descending).slice(0, most));
    }),
  );
});
