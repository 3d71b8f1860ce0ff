import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/** What a folder may not import: see docs/architecture.md. */
const forbid = (files, patterns) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});
const exact = "Amounts are exact from the wire to the screen: Decimal, and no floating point.";
/**
 * Syntax that a file must not have. The last entry for a file replaces the earlier ones, so each entry names all its
 * reasons.
 */
const noSyntax = (...reasons) => [
  "error",
  ...reasons.flatMap(({ message, selectors }) => selectors.map((selector) => ({ selector, message }))),
];
const host = {
  message: "The host stays as it is: our code shares its process with Pulumi's and the program's.",
  selectors: ["Identifier[name='setFlagsFromString']", "MemberExpression[object.name='Error'][property.name=/Trace/]"],
};
const token = /(dynamic.cloudinfra|\bcloudinfra:index):/;
const typeTokens = {
  message: "A type token is of one of the two providers: only src/engine/urn.ts knows both.",
  selectors: [`Literal[value=${token}]`, `TemplateElement[value.raw=${token}]`],
};
const money = {
  message: exact,
  selectors: ["MemberExpression[property.name='toNumber']", "UnaryExpression[operator='+']"],
};
/** The folders of src/ in layers, from the top down: a folder may import only from the layers below its own. */
const layers = [
  ["cli"],
  ["native"],
  ["functions"],
  ["permissions"],
  ["resources"],
  ["dynamic"],
  ["program"],
  ["provider-process", "rotation", "state"],
  ["lifecycle"],
  ["cost", "settings"],
  ["api", "journal"],
  ["engine"],
  ["definition", "process"],
  ["text", "time"],
  ["simulator"],
];
/**
 * The folders of src/lifecycle in layers, from the top down. The files beside them are below all folders, except
 * lifecycle.ts on top.
 */
const layersOfLifecycle = [
  ["operations", "local"],
  ["run"],
  ["adoption"],
  ["credential", "preflight", "recovery"],
  ["objects", "pricing"],
  ["memory"],
  ["kind"],
];
const completeSdk = {
  name: "@pulumi/pulumi",
  allowTypeImports: true,
  message: "Import engine/pulumi-sdk: each plugin would need half a second more for the whole SDK.",
};
const noPulumi = { group: ["@pulumi/*"], message: "This folder knows nothing of Pulumi." };
const withoutPulumi = ["api", "cost", "definition", "journal", "process", "settings", "simulator", "text", "time"];

/**
 * What a folder may not import. Beside the layers: the fronts do not know each other, and only the command line starts
 * the simulator.
 */
function patternsFor(folder) {
  const layer = layers.findIndex((folders) => folders.includes(folder));
  const above = layers.slice(0, layer + 1).flat();
  const foreign = new Set([
    ...above,
    ...(folder === "cli" ? [] : ["simulator"]),
    ...(folder === "native" ? ["dynamic"] : []),
  ]);
  foreign.delete(folder);
  return [
    ...(withoutPulumi.includes(folder) ? [noPulumi] : []),
    ...(folder === "definition" ? [{ group: ["undici"], message: "A definition is plain data." }] : []),
    ...(foreign.size === 0
      ? []
      : [
          {
            group: [...foreign].map((name) => `**/${name}/**`),
            message: `${folder}/ may import only from the layers below it: see docs/architecture.md.`,
          },
        ]),
  ];
}

/** What files of src/lifecycle may not import: `lifecycle.ts`, and the folders of their own layer and above. */
const forbidInLifecycle = (files, folders) =>
  forbid(files, [
    ...patternsFor("lifecycle"),
    {
      regex: `^\\.\\.?/(lifecycle$|(${folders.join("|")})/)`,
      message: "A folder of lifecycle/ may import only from the layers below it: see docs/architecture.md.",
    },
  ]);

export default tseslint.config(
  { ignores: ["dist/", "coverage/", "node_modules/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.test.json" } },
    rules: {
      "max-lines": ["error", { max: 250 }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
    },
  },
  {
    files: ["src/**"],
    rules: {
      "no-restricted-syntax": noSyntax(host, typeTokens),
      // A module that is needed only sometimes is loaded then, by a `require` with its type: jest cannot use a native
      // import().
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/no-restricted-imports": ["error", { paths: [completeSdk] }],
    },
  },
  // Loaded at the first component.
  { files: ["src/native/component*.ts"], rules: { "@typescript-eslint/no-restricted-imports": "off" } },
  { files: ["src/engine/urn.ts"], rules: { "no-restricted-syntax": noSyntax(host) } },
  ...layers.flat().map((folder) => forbid([`src/${folder}/**`], patternsFor(folder))),
  ...layersOfLifecycle.map((folders, layer) =>
    forbidInLifecycle(
      folders.map((folder) => `src/lifecycle/${folder}/**`),
      layersOfLifecycle.slice(0, layer + 1).flat(),
    ),
  ),
  forbidInLifecycle(["src/lifecycle/!(lifecycle).ts"], layersOfLifecycle.flat()),
  {
    // Amounts are Decimals, on which the compiler refuses + and -: what is left are the ways out of them.
    files: ["src/cost/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...["Number", "parseFloat", "parseInt"].map((name) => ({ name, message: exact })),
      ],
      "no-restricted-syntax": noSyntax(host, typeTokens, money),
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "max-lines": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    files: ["**/*.{js,mjs,cjs}"],
    languageOptions: {
      sourceType: "module",
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        Buffer: "readonly",
        setTimeout: "readonly",
        setInterval: "readonly",
        clearInterval: "readonly",
        clearTimeout: "readonly",
        fetch: "readonly",
        performance: "readonly",
        module: "writable",
        require: "readonly",
        exports: "writable",
        __dirname: "readonly",
      },
    },
  },
  prettier,
  // Prettier breaks no comments.
  {
    rules: { "max-len": ["error", { code: 1000, comments: 120, ignoreUrls: true, ignorePattern: "eslint-" }] },
  },
);
