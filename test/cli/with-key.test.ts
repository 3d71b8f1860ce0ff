import { startSimulator, type Simulator } from "../../src/simulator";
import { upperCaseIds } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { folderForSuite, forEachTest, forSuite } from "../support/suite";
import { runCli } from "./support";

const state = folderForSuite("with-key");
const api = forSuite<Simulator>(() => startSimulator({ validateResponses: true }));
const proxy = forEachTest(() => FaultProxy.start(api.url));

it("limits a key whose id the log spells in another case", async () => {
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/ }, upperCaseIds);
  const environment = {
    ...{ CLOUDINFRA_API_KEY: api.apiKey, CLOUDINFRA_BASE_URL: proxy.url, CLOUDINFRA_PROJECT_ID: api.projectId },
    ...{ XDG_STATE_HOME: state },
  };
  const command = ["with-key", "--permissions", "vm:read", "--for", "15m", "--", "true"];
  expect(await runCli(command, { environment })).toEqual({ code: 0, stdout: "", stderr: "" });
  const [change] = proxy.requests.filter(({ method }) => method === "PATCH");
  expect(change?.body).toContain('"allowed":["127.0.0.1"]');
});
