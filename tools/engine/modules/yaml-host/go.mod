module pulumi-cloudinfra/engine/yaml-host

go 1.25.8

tool github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml

require (
	github.com/pulumi/pulumi-yaml v1.30.0
	github.com/pulumi/pulumi/pkg/v3 v3.230.0
	github.com/pulumi/pulumi/sdk/v3 v3.230.0
)
