/** @type {import("jest").Config} */
const base = {
  testEnvironment: "node",
  transform: {
    "^.+\\.(ts|js)$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
    ],
  },
  // Packages that are ES modules only: Node requires them as they are, jest's own module loader does not.
  transformIgnorePatterns: [
    "/node_modules/(?!(jose|markdown-table|temporal-polyfill|temporal-utils)/)",
    "<rootDir>/tools/",
    "\\.cjs$",
  ],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  // No unit test puts a function into a state. The SDK loads what it needs for that with everything else: 500 modules
  // in each suite.
  moduleNameMapper: { "^\\./closure/(serializeClosure|codePaths)$": "<rootDir>/test/support/unused-module.cjs" },
};

// Both are set by tools/jest/run-jest.mjs, which says so.
const isQuick = process.env.CLOUDINFRA_QUICK_TESTS === "true";
const withoutBrowser = isQuick || process.env.CLOUDINFRA_WITHOUT_BROWSER === "true";

module.exports = {
  maxWorkers: 2,
  // Against a test that hangs, not against a slow machine: under load, seconds become minutes.
  testTimeout: 600_000,
  // Tests of one file that run side by side, each with a stack of its own.
  maxConcurrency: 3,
  testSequencer: "<rootDir>/tools/jest/engine-first.cjs",
  projects: [
    {
      ...base,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["engine", "browser", ...(isQuick ? ["chaos"] : [])].map(
        (folder) => `<rootDir>/test/${folder}/`,
      ),
    },
    {
      ...base,
      displayName: "engine",
      // The quick one is a life of every kind with both providers, from its first preview to its deletion.
      testMatch: [`<rootDir>/test/engine/${isQuick ? "fronts/life" : "**/*"}.test.ts`],
    },
    { ...base, displayName: "browser", testMatch: ["<rootDir>/test/browser/**/*.test.ts"] },
  ].filter(({ displayName }) => displayName !== "browser" || !withoutBrowser),
};
