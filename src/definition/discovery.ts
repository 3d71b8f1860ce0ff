/** For objects that something else makes: a resource takes such an object over, and gives it back as it was. */
export interface Discovery {
  /** The inputs that tell it from the others in its collection. If the program leaves one out, any value fits. */
  readonly by: readonly string[];
  /** The sentence that says who makes it, for messages: `Kubernetes makes one for each Service of the type LoadBalancer`. */
  readonly origin: string;
}
