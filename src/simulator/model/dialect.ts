/** The two spellings of the API: the specification's, and that of the public service. */
export type Dialect = "spec" | "nirvana";
