const { transformFileSync } = require("@swc/core");

/** Lets Node require the campaign's TypeScript as jest does: the campaign is part of the tests. */
require.extensions[".ts"] = (module, file) => {
  const { code } = transformFileSync(file, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    module: { type: "commonjs" },
    sourceMaps: "inline",
  });
  module._compile(code, file);
};
