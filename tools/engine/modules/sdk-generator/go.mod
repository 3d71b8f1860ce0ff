module pulumi-cloudinfra/engine/sdk-generator

go 1.25.8

require (
	github.com/pulumi/pulumi/pkg/v3 v3.230.0
	github.com/pulumi/pulumi/sdk/v3 v3.230.0
)
