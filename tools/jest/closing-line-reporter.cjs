const { writeFileSync } = require("node:fs");

/**
 * A jest reporter that leaves the counts of the run in the file that CLOUDINFRA_TEST_COUNTS names. It cannot print the
 * closing line itself: jest may still have something to say after its reporters are done.
 */
module.exports = class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A file that fails to load has no tests to count, but must not pass unnoticed.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(process.env.CLOUDINFRA_TEST_COUNTS, JSON.stringify(counts));
  }
};
