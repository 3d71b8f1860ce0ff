import * as github from "@pulumi/github";
import * as pulumi from "@pulumi/pulumi";

/**
 * Puts a key into the secrets of a repository: jobs that start from now on get it. Those that run already go on with the old
 * key, which has to outlive them: `deleteOld: "atExpiry"`.
 */
export function repositorySecret(
  name: string,
  repository: pulumi.Input<string>,
  key: pulumi.Input<string>,
): github.ActionsSecret {
  return new github.ActionsSecret(name, { repository, secretName: "CLOUDINFRA_API_KEY", value: key });
}
