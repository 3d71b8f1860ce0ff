/** A form that a text has. */
export interface NamePattern {
  readonly regex: RegExp;
  /** The form in words: `lower-case letters, digits and hyphens`. */
  readonly words: string;
}
