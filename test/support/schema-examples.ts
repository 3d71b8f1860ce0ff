/** The example in a language from a description of the package schema. Undefined if there is none. */
export function exampleIn(description: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(description)?.[1] ?? "";
}
