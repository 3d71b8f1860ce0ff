// Node loads this before the program of each process that the engine starts (NODE_OPTIONS). In the provider's plugin it takes a profile of
// processor time and one of allocations, and writes them when the engine ends the plugin, into the folder BENCH_PROFILE_FOLDER.
const { mkdirSync, writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { join } = require("node:path");

const SAMPLE_EVERY_US = 1000;
const SAMPLE_EVERY_BYTES = 32_768;

if (process.argv[1]?.includes("cmd/dynamic-provider")) profile(process.env.BENCH_PROFILE_FOLDER);

function profile(folder) {
  const session = new Session();
  session.connect();
  post(session, "Profiler.enable");
  post(session, "Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
  post(session, "Profiler.start");
  // What is freed again is what costs time: it counts as well.
  post(session, "HeapProfiler.startSampling", {
    samplingInterval: SAMPLE_EVERY_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  let isWritten = false;
  const write = () => {
    if (isWritten) return;
    isWritten = true;
    mkdirSync(folder, { recursive: true });
    const heap = post(session, "HeapProfiler.stopSampling");
    const cpu = post(session, "Profiler.stop");
    writeFileSync(join(folder, "plugin.heapprofile"), JSON.stringify(heap.profile));
    writeFileSync(join(folder, "plugin.cpuprofile"), JSON.stringify(cpu.profile));
  };
  process.once("exit", write);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      write();
      // Whoever else listens raises it again; if nobody does, it must not be lost.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
}

/** The inspector of the own thread answers before `post` returns. */
function post(session, method, params = {}) {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}
