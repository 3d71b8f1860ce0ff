// One of the campaign's workers: runs the seeds that it is sent, one after the other.
require("./typescript.cjs");
const { parentPort, workerData } = require("node:worker_threads");
const { openCampaign } = require(`../../test/chaos/support/${workerData.engine ? "engine-campaign" : "campaign"}`);

/** `{ seed, hits: [kind, count][], violation?: text }` for each seed. */
async function work() {
  const campaign = await openCampaign(workerData.native ? "pulumi-cloudinfra/native" : undefined);
  parentPort.on("message", async (seed) => {
    if (seed === undefined) {
      await campaign.close();
      parentPort.close();
      return;
    }
    const hits = new Map();
    // A mistake of the campaign's own is no reason to stop, and none to stay silent.
    const violation = await campaign.run(seed, hits).catch((error) => `Seed ${seed} broke off: ${error.stack}`);
    parentPort.postMessage({ seed, hits: [...hits], violation });
  });
  parentPort.postMessage({});
}

void work();
