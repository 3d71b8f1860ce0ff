import * as cloudinfra from "pulumi-cloudinfra";

// What has picked up the old key, such as a job that runs already, keeps it until it ends: so the old key is left to run out.
const key = new cloudinfra.ApiKey("ci", {
  permissions: [{ resourceType: "vpc", permission: "edit" }],
  lifetime: "90d",
  rotateBefore: "14d",
  deleteOld: "atExpiry",
});

// For with-key.mts. A secret output: encrypted in the state, "[secret]" on the screen.
export const apiKey = key.key;
export const expiresAt = key.expiresAt;

// With the packages installed (see the README):
//   keySecret("ci-key", "build", key.key);
//   repositorySecret("ci-key", "my-repository", key.key);
