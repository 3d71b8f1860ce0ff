import { descriptorOf } from "../kinds";
import { loadBalancerObject } from "../kinds/nks-load-balancer";
import * as does from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { counts, succeeded } from "./support/output";
import { declare, FRONTS, program, programOf, VPC_ID } from "./support/programs";
import { Session } from "./support/session";

const stages: Stage[] = [];
afterAll(async () => {
  for (const stage of stages) await stage.close();
});

it("a program looks up money, people, metrics and a connection by their twins: unknown in the preview, known in the stack", async () => {
  const { name: link } = descriptorOf("ConnectConnection");
  const { name: vm } = descriptorOf("Vm");
  const session = await Session.start(
    program(
      declare("ConnectConnection", link, { name: "link" }),
      declare("Vm", vm, { subnetId: "00000000-0000-4000-8000-000000000004" }),
      `const usage = cloudinfra.getUsageOutput({ resourceId: ${vm}.id });`,
      `exports.answers = pulumi.all({
        connection: cloudinfra.getConnectConnectionOutput({ name: "link" }, { dependsOn: ${link} }).id,
        metrics: cloudinfra.getVmMetricsOutput({ vmId: ${vm}.id }).metrics.length,
        usage: usage.apply((items) => items.map(({ resourceType }) => resourceType)),
        statement: cloudinfra.getUsageStatementOutput({}, { dependsOn: ${vm} }).currency,
        daily: cloudinfra.getDailyCostOutput().currency,
        summary: cloudinfra.getBillingSummaryOutput().apply(({ monthlyCost }) => typeof monthlyCost),
        history: cloudinfra.getBillingHistoryOutput().apply((entries) => Array.isArray(entries)),
        organizations: cloudinfra.getOrganizationsOutput().length,
        organization: cloudinfra.getOrganizationsOutput().apply(([{ id }]) =>
          cloudinfra.getOrganization({ organizationId: id }).then((found) => found.id === id)),
        user: cloudinfra.getUserOutput().email,
      });`,
    ),
  );
  succeeded(await session.stack.preview());
  expect((await session.api.objects()).length).toBe(0);
  succeeded(await session.up());
  expect(session.outputs()["answers"]).toEqual({
    connection: session.one(link).id,
    metrics: expect.any(Number) as unknown,
    usage: ["vm"],
    statement: "USD",
    daily: "USD",
    summary: "string",
    history: true,
    organizations: 1,
    organization: true,
    user: expect.stringContaining("@") as unknown,
  });
  expect((await session.api.during(() => session.up())).requests.filter((text) => !text.startsWith("GET"))).toEqual([]);
});

it.each(FRONTS)("when each list of %s shows its objects on two pages, each is one", async (front) => {
  const stage = await Stage.open(front);
  stages.push(stage);
  const { session, proxy } = stage;
  proxy.on({ method: "GET", path: /s$/ }, does.onTwoPages);
  const vpc = `exports.vpc = cloudinfra.getVpcOutput({ name: "default" }).id;`;
  session.stack.write(programOf(front, declare("NksLoadBalancer", "ingress"), vpc));
  succeeded(await session.stack.up());
  expect([session.one("ingress").id, session.outputs()["vpc"]]).toEqual([loadBalancerObject.id, VPC_ID]);
  expect(proxy.seen.some(({ path, query }) => path.endsWith("/vpcs") && query.includes("cursor=second"))).toBe(true);
  expect(counts(succeeded(await session.up()))).toEqual(["2 unchanged"]);
});
