import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { AwsLink } from "./aws-link";
import { Cluster } from "./cluster";
import { Environment } from "./environment";
import { Network } from "./network";
import * as sizes from "./sizes";

const config = new pulumi.Config();
const officeCidr = config.require("officeCidr");
const access = { officeCidr, sshPublicKey: config.require("sshPublicKey") };

const staging = new Environment("staging", { sizes: sizes.staging, ...access });
const production = new Environment("production", {
  sizes: sizes.production({
    instanceType: config.require("databaseInstanceType"),
    dataGb: config.requireNumber("databaseDiskGb"),
  }),
  ...access,
});

// The cluster has a network of its own.
const cluster = new Cluster("platform", {
  network: new Network("platform-network", {
    projectId: production.projectId,
    ingress: { api: { from: officeCidr, tcpPorts: ["6443"] } },
  }),
  kubernetesVersion: "v1.34.4",
  pools: {
    general: { instanceType: "n1-standard-4", nodes: 3 },
    memory: { instanceType: "n1-highmem-4", nodes: 2, taints: ["workload=memory:NoSchedule"] },
  },
});

new AwsLink("aws", {
  network: production.network,
  bandwidthMbps: config.requireNumber("bandwidthMbps") as cloudinfra.ConnectBandwidthMbps,
  accountId: "123456789012",
  awsRegion: "us-west-2",
  awsCidr: "172.16.0.0/16",
  tcpPorts: ["5432"],
});

// It counts every resource of the program, also in components. A preview over the budget fails.
const cost = new cloudinfra.CostSummary("cost", { budget: { monthlyTotal: config.require("monthlyBudget") } });

export const gatewayIps = { staging: staging.gateway.publicIp, production: production.gateway.publicIp };
export const bastionIps = { staging: staging.bastion.publicIp, production: production.bastion.publicIp };
export const kubeconfig = cluster.kubeconfig;
export const deployKeys = { staging: staging.keys.deploy, production: production.keys.deploy };
export const monthlyTotal = cost.after;
