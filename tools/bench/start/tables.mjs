import { howOften, time } from "../tables.mjs";

const NOTE =
  "Only the first checks types, in a run whose program has changed: Pulumi keeps what it has compiled. For the others " +
  "`tsc --noEmit` does it, in an editor or in CI. Without `typescript: false` Pulumi loads the compiler also for what is compiled already.";

/** The tables of `npm run bench -- start`. */
export function startTables({ runs, imports, program: { alone, withPackage }, plugin, setUps }) {
  return [
    {
      title: `Importing the package in a program, ${howOften(imports, "processes")}`,
      head: ["a process that requires", "time", "CPU"],
      rows: [
        ["`@pulumi/pulumi`", time(alone.wallMs), time(alone.cpuMs)],
        ["and `pulumi-cloudinfra`", time(withPackage.wallMs), time(withPackage.cpuMs)],
        ["difference", time(withPackage.wallMs - alone.wallMs), time(withPackage.cpuMs - alone.cpuMs)],
      ],
    },
    {
      title: `Loading the package's modules in the engine's plugin, ${howOften(imports, "processes")}`,
      head: ["when", "time"],
      rows: [
        ["before the first check", time(plugin.beforeMs)],
        ["in the first check that asks for a quote: the HTTP client", time(plugin.duringMs)],
        ["in all", time(plugin.beforeMs + plugin.duringMs)],
      ],
    },
    {
      title: `\`pulumi preview\` of examples/quickstart by set-up of the project, ${howOften(runs)}`,
      head: ["set-up", "the program has changed", "it has not", "nor, with `NODE_COMPILE_CACHE`"],
      rows: setUps.map(({ name, changedMs, sameMs, cachedMs }) => [
        name,
        time(changedMs),
        time(sameMs),
        time(cachedMs),
      ]),
      note: NOTE,
    },
  ];
}
