/** The example of a language in a description of the package schema, or nothing. */
export function exampleIn(description: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(description)?.[1] ?? "";
}
