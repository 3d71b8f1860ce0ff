/**
 * The advice by the beginning of the sentence that an SDK writes when a program converts an Output itself into a text.
 */
const remedies = {
  "Calling [toString] on an [Output<T>] is not supported": "pulumi.interpolate`…${output}…`, or output.apply(…)",
  "Calling [toJSON] on an [Output<T>] is not supported": "pulumi.jsonStringify(…), or output.apply(…)",
  "Calling __str__ on an Output[T] is not supported": 'pulumi.Output.format("…{0}…", output), or output.apply(…)',
} as const;

/** The fault of a text that contains an Output instead of its value. Undefined for other values. */
export function outputAsTextFault(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const found = Object.entries(remedies).find(([sentence]) => value.includes(sentence));
  return found && `contains an Output, and not its value: write ${found[1]}`;
}
