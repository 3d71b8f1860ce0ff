import pulumi
import pulumi_cloudinfra as cloudinfra

config = pulumi.Config()

net = cloudinfra.Vpc("net", subnet_name="main")

https = cloudinfra.FirewallRule(
    "https",
    vpc_id=net.id,
    protocol=cloudinfra.FirewallRuleProtocol.TCP,
    source_address="0.0.0.0/0",
    destination_address=net.subnet.cidr,
    destination_ports=["443"],
)

link = cloudinfra.ConnectConnection(
    "link",
    bandwidth_mbps=config.require_int("bandwidthMbps"),
    cidrs=["10.0.0.0/25"],
    provider_cidrs=["172.16.0.0/16"],
)

pulumi.export("perMonth", link.cost.apply(lambda cost: cost.monthly_total if cost else "unknown"))
