import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { StoredSecret } from "./secret-store";

// A running job keeps the old key until the job ends. So the provider lets the old key expire instead of deleting it.
const key = new cloudinfra.ApiKey("ci", {
  permissions: [{ resourceType: "vpc", permission: "edit" }],
  lifetime: "90d",
  rotateBefore: "14d",
  deleteOld: "atExpiry",
});

// with-key.mts reads this output. It is encrypted in the state, and "[secret]" on the screen.
export const apiKey = key.key;
export const expiresAt = key.expiresAt;

// A client that reads the store for each request. Pulumi deletes the old key after the new one is in the store.
const readerKey = new cloudinfra.ApiKey("reader", {
  permissions: [{ resourceType: "vpc", permission: "read" }],
  lifetime: "30d",
  rotateBefore: "7d",
  deleteOld: "after",
});
const url = new pulumi.Config().require("secretUrl");
// Taking `readerKey.key` is enough for this order. A delivery that does not take the key, such as a restart, needs `dependsOn`.
new StoredSecret("reader-key", { url, value: readerKey.key }, { dependsOn: readerKey });

// With the packages installed (see the README):
//   keySecret("ci-key", "build", key.key);
//   repositorySecret("ci-key", "my-repository", key.key);
