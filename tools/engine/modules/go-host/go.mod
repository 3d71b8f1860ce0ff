module pulumi-cloudinfra/engine/go-host

go 1.25.8

tool github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go

require github.com/pulumi/pulumi/sdk/v3 v3.64.0
