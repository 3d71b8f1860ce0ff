import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { isSeenRunning, thisProcess } from "../../src/process/process-identity";

const onLinux = process.platform === "linux" ? it : it.skip;

onLinux("a zombie process counts as ended", async () => {
  const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"]);
  const [pid] = (await once(parent.stdout, "data")) as [Buffer];
  const fields = (): readonly string[] => readFileSync(`/proc/${Number(pid)}/stat`, "utf8").split(" ");
  while (fields()[2] !== "Z") await new Promise(setImmediate);
  expect(isSeenRunning({ ...thisProcess(), pid: Number(pid), startedAt: fields()[21] })).toBe(false);
  parent.kill();
});
