/** @type {import("jest").Config} */
const base = {
  testEnvironment: "node",
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } }],
  },
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
};

module.exports = {
  maxWorkers: 2,
  projects: [
    { ...base, displayName: "unit", testMatch: ["<rootDir>/test/**/*.test.ts"], testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/engine/"] },
    { ...base, displayName: "engine", testMatch: ["<rootDir>/test/engine/**/*.test.ts"] },
  ],
};
