/** What something else makes, and this API only shows: a resource takes such an object over, and gives it back as it was. */
export interface Discovery {
  /** The inputs that tell it from the others of its place. One that the program leaves out fits any. */
  readonly by: readonly string[];
  /** Who makes it, as a sentence of a message: `Kubernetes makes one for each Service of the type LoadBalancer`. */
  readonly origin: string;
}
