/** An API key and where it is from, in words for people: `config cloudinfra:apiKey`. */
export interface Credential {
  readonly apiKey: string;
  readonly source: string;
}
