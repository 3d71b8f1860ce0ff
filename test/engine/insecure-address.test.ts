import { failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

let session: Session;

beforeAll(async () => {
  session = await Session.start(program(declare("ConnectConnection", "link")));
  // It leads to the simulator, but is no address of the loopback.
  const url = session.api.simulator.url.replace("127.0.0.1", "0.0.0.0");
  session.stack.env["CLOUDINFRA_BASE_URL"] = url;
});

it("when the base URL is http:// on another machine, the preview is refused, says what to do, and sends nothing", async () => {
  const { result, requests } = await session.api.during(() => session.stack.preview());
  const said = saidOf(failed(result), "link");
  expect(said).toContain("the API key would cross the network in the clear");
  expect(said).toContain("cloudinfra:allowInsecure");
  expect(requests).toEqual([]);
});

it("when that is allowed in the configuration, it works, and no proxy of the environment hears of it", async () => {
  session.configure("cloudinfra:allowInsecure", "true");
  session.stack.env["HTTP_PROXY"] = "http://127.0.0.1:9"; // where nobody listens
  const { result, requests } = await session.api.during(() => session.stack.preview());
  succeeded(result);
  expect(requests.sort()).toEqual(["GET routes", "POST connections/cost"]);
});
