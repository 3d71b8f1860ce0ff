import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

const MEMBER = "CLOUDINFRA_API_KEY";

/**
 * Puts a key into a cluster. A new key makes a new Secret with a new name. Deployments that use this name restart with the new
 * key. After that, Pulumi deletes the old Secret and the old key.
 */
export function keySecret(
  name: string,
  namespace: pulumi.Input<string>,
  key: pulumi.Input<string | undefined>,
): kubernetes.core.v1.Secret {
  const secret = pulumi.output(key).apply((value) => {
    if (value === undefined) throw new Error("the key has no secret: it was read, or adopted without it");
    return value;
  });
  return new kubernetes.core.v1.Secret(name, { metadata: { namespace }, stringData: { [MEMBER]: secret } });
}

/** The environment variable of a container that holds the key. */
export function keyVariable(secret: kubernetes.core.v1.Secret) {
  return { name: MEMBER, valueFrom: { secretKeyRef: { name: secret.metadata.name, key: MEMBER } } };
}
