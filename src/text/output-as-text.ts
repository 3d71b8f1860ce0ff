/** What to write instead, by the beginning of the sentence that an SDK puts into a text in place of an Output's value. */
const remedies = {
  "Calling [toString] on an [Output<T>] is not supported": "pulumi.interpolate`…${output}…`, or output.apply(…)",
  "Calling [toJSON] on an [Output<T>] is not supported": "pulumi.jsonStringify(…), or output.apply(…)",
  "Calling __str__ on an Output[T] is not supported": 'pulumi.Output.format("…{0}…", output), or output.apply(…)',
} as const;

/** The fault of a text that a program has made of an Output itself, not of its value. Undefined for all others. */
export function outputAsTextFault(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const found = Object.entries(remedies).find(([sentence]) => value.includes(sentence));
  return found && `contains an Output, and not its value: write ${found[1]}`;
}
