import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

/** The API keys of one project. A nightly run rotates those that are due. */
export class ProjectKeys extends pulumi.ComponentResource {
  /** For deployments: give it to the CI system. Its predecessor works until the next rotation. */
  readonly deploy: pulumi.Output<string | undefined>;
  /** For monitoring: it can only read. */
  readonly monitoring: pulumi.Output<string | undefined>;

  constructor(name: string, projectId: pulumi.Input<string>, options?: pulumi.ComponentResourceOptions) {
    super("landing-zone:keys:ProjectKeys", name, {}, options);
    const deploy = new cloudinfra.RotatingApiKey(
      `${name}-deploy`,
      {
        projectIds: [projectId],
        permissions: [
          { resourceType: "vm", permission: "edit" },
          { resourceType: "volume", permission: "edit" },
          { resourceType: "vpc", permission: "read" },
        ],
        period: "30d",
      },
      { parent: this },
    );
    const monitoring = new cloudinfra.ApiKey(
      `${name}-monitoring`,
      {
        projectIds: [projectId],
        permissions: [
          { resourceType: "vm", permission: "read" },
          { resourceType: "volume", permission: "read" },
        ],
        lifetime: "45d",
        rotateBefore: "15d",
      },
      { parent: this },
    );
    this.deploy = deploy.current.key;
    this.monitoring = monitoring.key;
    this.registerOutputs({ deploy: this.deploy, monitoring: this.monitoring });
  }
}
