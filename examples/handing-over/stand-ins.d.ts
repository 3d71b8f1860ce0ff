// The types of two packages that this example uses, so that it type-checks without them (one has 23 MB). Delete this file when
// you install the packages: it hides their own types.

declare module "@pulumi/kubernetes" {
  import type * as pulumi from "@pulumi/pulumi";

  export namespace core.v1 {
    interface SecretArgs {
      readonly metadata?: pulumi.Input<{ readonly namespace?: pulumi.Input<string> }>;
      readonly stringData?: pulumi.Input<Record<string, pulumi.Input<string>>>;
    }
    class Secret extends pulumi.CustomResource {
      constructor(name: string, args?: SecretArgs, options?: pulumi.CustomResourceOptions);
      readonly metadata: pulumi.Output<{ readonly name: string }>;
    }
  }
}

declare module "@pulumi/github" {
  import type * as pulumi from "@pulumi/pulumi";

  export interface ActionsSecretArgs {
    readonly repository: pulumi.Input<string>;
    readonly secretName: pulumi.Input<string>;
    readonly value?: pulumi.Input<string>;
  }
  export class ActionsSecret extends pulumi.CustomResource {
    constructor(name: string, args: ActionsSecretArgs, options?: pulumi.CustomResourceOptions);
  }
}
