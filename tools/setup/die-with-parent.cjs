/**
 * Preloaded into what tools/run.mjs starts: that runs in its own process group, so a kill of run.mjs would leave
 * it behind. Its channel to run.mjs closes whatever way run.mjs ends, and then the whole group is asked to end.
 */
if (process.env.CLOUDINFRA_DIE_WITH_PARENT && process.channel) {
  // Workers that this process starts inherit the environment, and have no business with the channel.
  delete process.env.CLOUDINFRA_DIE_WITH_PARENT;
  process.once("disconnect", () => process.kill(-process.pid, "SIGTERM"));
  process.channel.unref();
}
