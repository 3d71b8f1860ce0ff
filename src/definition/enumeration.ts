/** A value of an enumeration, as SDKs show it. */
export interface EnumerationValue {
  readonly value: string | number;
  readonly description: string;
}

/** A closed set of values. Fields that mean the same thing share one, and the SDKs of other languages have one type for it. */
export interface Enumeration<V extends string | number = string | number> {
  /** The name of the type in SDKs: `VolumeType`. */
  readonly name: string;
  readonly description: string;
  readonly values: readonly V[];
  readonly described: readonly EnumerationValue[];
  /** Former names of values, with the present ones. Programs and states may still have them. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** The unit of values that are numbers. A name in a program cannot begin with a digit: 50 is `Mbps50`. */
  readonly unit?: string;
}

/** Words, each with its description, and the former names of some. */
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

/** Numbers of a unit. */
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
