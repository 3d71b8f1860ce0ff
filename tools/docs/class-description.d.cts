/** An argument or an output, or a member of one. */
export interface MemberDescription {
  /** Such as `budget.monthlyTotal`. */
  readonly path: string;
  readonly text: string;
  /** In words. */
  readonly type: string;
  /** The name of its interface, if it has one, without `Args`. */
  readonly typeName?: string;
  /** The comment of that interface. */
  readonly typeText?: string;
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

export interface ClassDescription {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** The name of its page. */
  readonly page: string;
  /** Whether it is made of other resources. */
  readonly isComponent: boolean;
  readonly text: string;
  /** A fenced block. */
  readonly example: string | undefined;
  /** The last one, if there are several: the package schema has it in every language. */
  readonly portableExample: string | undefined;
  readonly behaviour: readonly string[];
  readonly remarks: readonly string[];
  readonly inputs: readonly MemberDescription[];
  /** Arguments that a resource has too. */
  readonly sharedInputs: readonly { readonly type: string; readonly names: readonly string[] }[];
  readonly outputs: readonly MemberDescription[];
}

export function classDescriptions(root: string): readonly ClassDescription[];
