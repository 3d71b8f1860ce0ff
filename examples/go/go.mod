module network

go 1.25.8

require (
	github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdk/go/cloudinfra v0.0.0
	github.com/pulumi/pulumi/sdk/v3 v3.230.0
)

replace github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdk/go/cloudinfra => ./sdk/go/cloudinfra
