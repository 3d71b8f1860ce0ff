/**
 * A function that makes its result once for each object, and keeps it as long as that object. For results that take
 * long to make.
 */
export function memoize<From extends object, Made extends object>(make: (from: From) => Made): (from: From) => Made {
  const known = new WeakMap<From, Made>();
  return (from) => {
    const made = known.get(from) ?? make(from);
    known.set(from, made);
    return made;
  };
}
