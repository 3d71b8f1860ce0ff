const { markdownTable } = require("markdown-table");
const { COMMAND, join } = require("./page-parts.cjs");

const HEAD = [
  "# Endpoints",
  `<!-- Made by \`${COMMAND}\` from the simulator's routes, the definitions and the lookups: change it there. -->`,
  "The endpoints of the API, and the use of each in the package. The simulator serves all of them.",
  "<!-- used endpoints -->",
];

/** What the client asks for by itself. */
const CLIENT = {
  "GET /v1/operations/{}": "waits for changes",
  "GET /v1/operations": "waits for many changes at once",
  "GET /v1/audit_logs": "finds what a lost creation made",
  "GET /v1/organizations": "finds the organization of the API key",
  "GET /v1/regions": "`cloudinfra doctor`; shows whether a 404 is the API's",
  "GET /v1/quotas/{}": "preflight of the quotas, `cloudinfra doctor`",
};

/** Why the package does not use an endpoint. */
const NOT_USED = [
  [/^\w+ \/v1\/organizations.*\/(billing|address)/, "payment details are managed outside programs"],
  [/^(POST|PATCH) \/v1\/organizations/, "organizations are managed outside programs"],
  [/^\w+ \/v1\/user\/security/, "a person's own settings"],
  [/^GET \/v1\/organizations\/\{\}\/memberships/, "members are managed outside programs"],
  [/^DELETE .*\/nodes\/\{\}$/, "`nodeCount` of the pool says how many there are"],
  [/^GET .*\/nks\/clusters\/\{\}\/(controllers|pools)\/?.*volumes/, "the platform manages these volumes itself"],
  [/^GET .*\/controllers/, "the platform manages these machines itself"],
  [/^GET \/v1\/compute\/vms\/\{\}\/volumes$/, "`getVolumes` filters by `vmId`"],
  [/^GET \/v1\/compute\/metric_descriptors$/, "`getVmMetrics` returns the units"],
  [/^GET .*\{\}$/, "the list shows the same"],
];

/**
 * docs/endpoints.md. `endpoints`: those of the simulator, in every dialect. Throws for one that is neither used nor
 * explained.
 */
function endpointsPage({ endpoints, definitions, lookups }) {
  const uses = usesOf(definitions, lookups);
  const rows = [...new Set(endpoints.map(({ method, path }) => `${method} ${path}`))].map((endpoint) => {
    const key = keyOf(endpoint);
    const used = [...new Set(uses.get(key) ?? [])].join(", ");
    const [, reason] = NOT_USED.find(([pattern]) => pattern.test(key)) ?? [];
    if (used === "" && reason === undefined) throw new Error(`${endpoint} is neither used nor explained`);
    const [method, path] = endpoint.split(" ");
    return [`\`${path}\``, method, used, used === "" ? reason : ""];
  });
  rows.sort(([one, verb], [other, otherVerb]) => (one === other ? compare(verb, otherVerb) : compare(one, other)));
  return join([...HEAD, markdownTable([["Path", "Method", "Used for", "Not used, because"], ...rows])]);
}

/** What the package does with each endpoint; the parameters' names are left out. */
function usesOf(definitions, lookups) {
  const uses = new Map();
  const add = (endpoint, use) => uses.set(keyOf(endpoint), [...(uses.get(keyOf(endpoint)) ?? []), use]);
  for (const definition of definitions) for (const [endpoint, use] of ofDefinition(definition)) add(endpoint, use);
  for (const [name, { path, finds }] of Object.entries(lookups)) {
    // An argument that stands for one of several words.
    for (const each of path.includes("{kind}") ? KINDS.map((kind) => path.replace("{kind}", kind)) : [path]) {
      add(`GET ${each}`, `\`${name}\``);
      if (finds === "byIdOrName") add(`GET ${each}/{id}`, `\`${name}\``);
    }
  }
  for (const [endpoint, use] of Object.entries(CLIENT)) add(endpoint, use);
  return uses;
}

const KINDS = ["flex", "dedicated"];

function ofDefinition({ type, path, isQuoted = true, hasAvailability = false, discovery, inputs, outputs }) {
  const object = `${path}/{id}`;
  const verbs = Object.values(inputs).flatMap(({ actions }) =>
    actions ? [...actions("a", "b"), ...actions(undefined, "b"), ...actions("a", undefined)] : [],
  );
  return [
    [`GET ${path}`, `refreshes and finds \`${type}\``],
    [`GET ${object}`, `reads \`${type}\``],
    [`PATCH ${object}`, discovery ? `changes \`${type}\`, and gives it back` : `changes \`${type}\``],
    ...(discovery
      ? []
      : [
          [`POST ${path}`, `creates \`${type}\``],
          [`DELETE ${object}`, `deletes \`${type}\``],
        ]),
    ...(isQuoted
      ? [
          [`POST ${path}/cost`, `price of \`${type}\``],
          [`PATCH ${object}/cost`, `price of \`${type}\``],
        ]
      : []),
    ...(hasAvailability
      ? [
          [`POST ${path}/availability`, `preflight of \`${type}\``],
          [`PATCH ${object}/availability`, `preflight of \`${type}\``],
        ]
      : []),
    ...verbs.map(({ verb }) => [`POST ${object}/${verb}`, `changes \`${type}\``]),
    ...Object.values(outputs).flatMap(({ readSeparately }) =>
      readSeparately === undefined ? [] : [[`GET ${object}/${readSeparately}`, `reads \`${type}\``]],
    ),
  ];
}

function keyOf(endpoint) {
  return endpoint.replaceAll(/\{\w+\}/g, "{}");
}

function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}

module.exports = { endpointsPage };
