import * as cloudinfra from "pulumi-cloudinfra";

// A running job keeps the old key until the job ends. So the provider does not delete the old key, but lets it expire.
const key = new cloudinfra.ApiKey("ci", {
  permissions: [{ resourceType: "vpc", permission: "edit" }],
  lifetime: "90d",
  rotateBefore: "14d",
  deleteOld: "atExpiry",
});

// with-key.mts reads this output. It is encrypted in the state, and "[secret]" on the screen.
export const apiKey = key.key;
export const expiresAt = key.expiresAt;

// With the packages installed (see the README):
//   keySecret("ci-key", "build", key.key);
//   repositorySecret("ci-key", "my-repository", key.key);
