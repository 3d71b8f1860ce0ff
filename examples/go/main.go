package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdk/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		net, err := cloudinfra.NewVpc(ctx, "net", &cloudinfra.VpcArgs{SubnetName: pulumi.String("main")})
		if err != nil {
			return err
		}

		_, err = cloudinfra.NewFirewallRule(ctx, "https", &cloudinfra.FirewallRuleArgs{
			VpcId:              net.ID(),
			Protocol:           cloudinfra.FirewallRuleProtocolTcp,
			SourceAddress:      pulumi.String("0.0.0.0/0"),
			DestinationAddress: net.Subnet.Cidr(),
			DestinationPorts:   pulumi.ToStringArray([]string{"443"}),
		})
		if err != nil {
			return err
		}

		link, err := cloudinfra.NewConnectConnection(ctx, "link", &cloudinfra.ConnectConnectionArgs{
			BandwidthMbps: pulumi.Int(config.RequireInt(ctx, "bandwidthMbps")),
			Cidrs:         pulumi.ToStringArray([]string{"10.0.0.0/25"}),
			ProviderCidrs: pulumi.ToStringArray([]string{"172.16.0.0/16"}),
		})
		if err != nil {
			return err
		}

		ctx.Export("perMonth", link.Cost.MonthlyTotal())
		return nil
	})
}
