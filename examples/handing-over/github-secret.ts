import * as github from "@pulumi/github";
import * as pulumi from "@pulumi/pulumi";

/**
 * Puts a key into the secrets of a repository. New jobs get it. Running jobs keep the old key, so it must outlive them:
 * `deleteOld: "atExpiry"`.
 */
export function repositorySecret(
  name: string,
  repository: pulumi.Input<string>,
  key: pulumi.Input<string | undefined>,
): github.ActionsSecret {
  const secret = pulumi.output(key).apply((value) => {
    if (value === undefined) throw new Error("the key has no secret: it was read, or adopted without it");
    return value;
  });
  return new github.ActionsSecret(name, { repository, secretName: "CLOUDINFRA_API_KEY", value: secret });
}
