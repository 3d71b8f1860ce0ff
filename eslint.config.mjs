import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/** What a folder may not import: see docs/architecture.md. */
const forbid = (files, patterns) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});
const exact = "Amounts are exact from the wire to the screen: Decimal, and no floating point.";
/** Syntax that a file must not have. The last entry for a file replaces the earlier ones, so each entry names all its reasons. */
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
/** The rooms of src/, from the top down: a room may import only from those of the rows below. */
const floors = [
  ["cli"],
  ["native"],
  ["functions"],
  ["resources"],
  ["dynamic"],
  ["program"],
  ["plugin", "rotation", "state"],
  ["lifecycle"],
  ["cost", "settings"],
  ["api", "journal"],
  ["engine"],
  ["definition", "process"],
  ["text"],
  ["simulator"],
];
/** The rooms of src/lifecycle, from the top down. The files beside them are on the lowest floor, except lifecycle.ts on top. */
const floorsOfLifecycle = [
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
const noPulumi = { group: ["@pulumi/*"], message: "This room knows nothing of Pulumi." };
const withoutPulumi = ["api", "cost", "definition", "journal", "process", "settings", "simulator", "text"];

/** What a room may not import. Beside the floors: the fronts do not know each other, and only the command line starts the simulator. */
function patternsFor(room) {
  const floor = floors.findIndex((rooms) => rooms.includes(room));
  const above = floors.slice(0, floor + 1).flat();
  const foreign = new Set([
    ...above,
    ...(room === "cli" ? [] : ["simulator"]),
    ...(room === "native" ? ["dynamic"] : []),
  ]);
  foreign.delete(room);
  return [
    ...(withoutPulumi.includes(room) ? [noPulumi] : []),
    ...(room === "definition" ? [{ group: ["undici"], message: "A definition is plain data." }] : []),
    ...(foreign.size === 0
      ? []
      : [
          {
            group: [...foreign].map((name) => `**/${name}/**`),
            message: `${room}/ is below, or by itself: see docs/architecture.md.`,
          },
        ]),
  ];
}

/** What files of src/lifecycle may not import: `lifecycle.ts`, and the rooms on their own floor and above. */
const forbidInLifecycle = (files, rooms) =>
  forbid(files, [
    ...patternsFor("lifecycle"),
    {
      regex: `^\\.\\.?/(lifecycle$|(${rooms.join("|")})/)`,
      message: "In lifecycle/, imports run down from floor to floor.",
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
      // A module that is needed only sometimes is loaded then, by a `require` with its type: jest cannot use a native import().
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/no-restricted-imports": ["error", { paths: [completeSdk] }],
    },
  },
  // Loaded at the first component.
  { files: ["src/native/component*.ts"], rules: { "@typescript-eslint/no-restricted-imports": "off" } },
  { files: ["src/engine/urn.ts"], rules: { "no-restricted-syntax": noSyntax(host) } },
  ...floors.flat().map((room) => forbid([`src/${room}/**`], patternsFor(room))),
  ...floorsOfLifecycle.map((rooms, floor) =>
    forbidInLifecycle(
      rooms.map((room) => `src/lifecycle/${room}/**`),
      floorsOfLifecycle.slice(0, floor + 1).flat(),
    ),
  ),
  forbidInLifecycle(["src/lifecycle/!(lifecycle).ts"], floorsOfLifecycle.flat()),
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
);
