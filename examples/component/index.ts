import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { PartnerLink } from "./partner-link";

const vpc = cloudinfra.getVpcOutput({ name: new pulumi.Config().require("vpcName") });

const link = new PartnerLink("bank", {
  vpc,
  bandwidthMbps: 200,
  partnerCidr: "172.16.0.0/16",
  partnerAccount: { accountId: "123456789012", region: "us-west-2" },
  ports: ["443", "8443"],
});

export const connectionId = link.connectionId;
export const monthlyTotal = link.monthlyTotal;
