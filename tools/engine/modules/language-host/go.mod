module pulumi-cloudinfra/engine/language-host

go 1.25.8

tool (
	github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs
	github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python
)

require github.com/pulumi/pulumi/sdk/v3 v3.68.0
