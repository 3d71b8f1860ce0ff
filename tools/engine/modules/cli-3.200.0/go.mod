module pulumi-cloudinfra/engine/cli

go 1.25.8

tool github.com/pulumi/pulumi/pkg/v3/cmd/pulumi

require (
	github.com/pulumi/pulumi/pkg/v3 v3.200.0
	github.com/pulumi/pulumi/sdk/v3 v3.200.0
)

replace github.com/atotto/clipboard => github.com/tgummerer/clipboard v0.0.0-20241001131231-d02d263e614e
