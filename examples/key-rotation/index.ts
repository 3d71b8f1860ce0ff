import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { keyFile } from "./key-file";

const config = new pulumi.Config();

// The end is kept until two weeks before it. The first run after that makes a new key: it is created first, the file gets
// it, and only then the old key is deleted. Both have names of their own, as no name is given here.
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
