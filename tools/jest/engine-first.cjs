const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Suites with the real engine take up to minutes, all others seconds. If those with the engine come first, the workers end together: a new
 * clone knows no times, and jest would go by the size of files.
 */
module.exports = class EngineFirst extends Sequencer {
  sort(tests) {
    const { engine = [], others = [] } = Object.groupBy(super.sort(tests), ({ context }) =>
      context.config.displayName?.name === "engine" ? "engine" : "others",
    );
    return [...engine, ...others];
  }
};
