/** A value of an enumeration, as SDKs show it. */
interface EnumerationValue {
  readonly value: string | number;
  readonly description: string;
}

/** A closed set of values. Fields with the same meaning share it, and SDKs of other languages have one type for it. */
export interface Enumeration<V extends string | number = string | number> {
  /** The name of its type in SDKs: `VolumeType`. */
  readonly name: string;
  readonly description: string;
  readonly values: readonly V[];
  readonly described: readonly EnumerationValue[];
  /** The present names by former ones, which programs and states may still have. */
  readonly renamed?: Readonly<Record<string, string>>;
  /**
   * The unit of values that are numbers. SDKs put it before the number, because a name cannot begin with a digit: 50 is
   * `Mbps50`.
   */
  readonly unit?: string;
}

/** Makes an enumeration of words, each with its description. Some may have former names. */
export function words<const V extends string, const Former extends string = never>(
  name: string,
  description: string,
  meanings: Readonly<Record<V, string>>,
  renamed?: Readonly<Record<Former, NoInfer<V>>>,
): Enumeration<V | Former> {
  const values = Object.keys(meanings) as V[];
  const described = values.map((value) => ({ value, description: meanings[value] }));
  return { name, description, values, described, ...(renamed && { renamed }) };
}

/** Makes an enumeration of numbers with a unit. */
export function numbers<const V extends number>(
  name: string,
  description: string,
  unit: string,
  values: readonly V[],
): Enumeration<V> {
  return {
    name,
    description,
    values,
    unit,
    described: values.map((value) => ({ value, description: `${value} ${unit}.` })),
  };
}
