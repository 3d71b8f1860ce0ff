import { goal, size } from "../tables.mjs";

/** More than a line of the log takes: at most 256 characters of a path, a method and a status. */
const LOG_LINE_BYTES = 400;

/** What a firewall rule, its operation, its audit log and a line of the log take, with a tenth to spare. */
const CREATED_RULE_BYTES = 2150;

/** The tables of `npm run bench -- memory`: what is in its result stands in ../memory.mjs. */
export function memoryTables({ requests, resources, bytesLeft }) {
  return [
    {
      title: "What the simulator still holds, once the garbage is gone",
      head: ["of", "bytes each"],
      rows: [
        [`${requests} requests of 8 kB that change nothing`, size(bytesLeft.ofRequest)],
        [`${resources} new firewall rules`, size(bytesLeft.ofRule)],
      ],
    },
  ];
}

/** The goals of it. */
export function memoryGoals({ bytesLeft: { ofRequest, ofRule } }) {
  return [
    goal(`of a request, under ${LOG_LINE_BYTES} bytes`, size(ofRequest), ofRequest < LOG_LINE_BYTES),
    goal(`of a firewall rule, under ${CREATED_RULE_BYTES} bytes`, size(ofRule), ofRule < CREATED_RULE_BYTES),
  ];
}
