import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

const MEMBER = "CLOUDINFRA_API_KEY";

/**
 * Puts a key into a cluster. A new key makes a new Secret with a new name: whatever refers to that name is rolled out with the
 * new key, and the rollout has ended before the old Secret and the old key go.
 */
export function keySecret(
  name: string,
  namespace: pulumi.Input<string>,
  key: pulumi.Input<string>,
): kubernetes.core.v1.Secret {
  return new kubernetes.core.v1.Secret(name, { metadata: { namespace }, stringData: { [MEMBER]: key } });
}

/** The environment variable of a container that holds the key. */
export function keyVariable(secret: kubernetes.core.v1.Secret) {
  return { name: MEMBER, valueFrom: { secretKeyRef: { name: secret.metadata.name, key: MEMBER } } };
}
