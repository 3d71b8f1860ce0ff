import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { keyFile } from "./key-file";

const config = new pulumi.Config();

// Two weeks before the key expires, the next run creates a new key. The file gets it, and then Pulumi deletes the old key.
// The two keys have different names, because the program gives none.
const key = new cloudinfra.ApiKey("ci", {
  permissions: [
    { resourceType: "vpc", permission: "edit" },
    { resourceType: "project", permission: "read" },
  ],
  lifetime: "90d",
  rotateBefore: "14d",
});

export const keyName = key.name;
export const expiresAt = key.expiresAt;
export const rotatesAt = key.rotatesAt;
export const writtenTo = pulumi.unsecret(keyFile(config.require("keyFile"), key.key));
