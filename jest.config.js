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
    "/node_modules/(?!(markdown-table|temporal-polyfill|temporal-utils)/)",
    "<rootDir>/tools/",
    "\\.cjs$",
  ],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
};

module.exports = {
  maxWorkers: 2,
  // Tests of one file that run side by side, each with a stack of its own.
  maxConcurrency: 3,
  testSequencer: "<rootDir>/tools/jest/engine-first.cjs",
  projects: [
    {
      ...base,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/engine/", "<rootDir>/test/browser/"],
    },
    { ...base, displayName: "engine", testMatch: ["<rootDir>/test/engine/**/*.test.ts"] },
    { ...base, displayName: "browser", testMatch: ["<rootDir>/test/browser/**/*.test.ts"] },
    // Set by tools/jest/run-jest.mjs, which says so.
  ].filter(({ displayName }) => displayName !== "browser" || process.env.CLOUDINFRA_WITHOUT_BROWSER !== "true"),
};
