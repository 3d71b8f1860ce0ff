import { tmpdir } from "node:os";
import { runCli } from "./support";

const AMOUNT = 'It must be an amount in dollars such as "250" or "99.50".';
const DURATION = 'It must be a duration such as "14d" or "P14D".';
const OPERATION_TIME =
  'error: --operation-time must be "0" or a duration with a unit such as "100ms" or "1s", not "soon"\n';
const EMPTY = "is invalid. It is empty. Perhaps the variable that it comes from is not set.";

it.each<[line: string, message: string]>([
  ["", "Usage: cloudinfra"],
  ["doktor", "error: unknown command 'doktor'"],
  ["doctor --stacks x", "error: unknown option '--stacks'"],
  ["doctor --stack", "error: option '-s, --stack <name>' argument missing"],
  ["doctor dev", "error: too many arguments for 'doctor'"],
  ["doctor --yes", "--yes is for --delete"],
  ["doctor --force", "--force is for --delete"],
  ["doctor --delete a --delete b", "It takes one id."],
  ["doctor --delete x --yes --force", "cannot be used with"],
  ["doctor --stack=", EMPTY],
  ["permissions --stack=", EMPTY],
  ["cost --stack=", EMPTY],
  ["cost --target=", EMPTY],
  ["cost dev", "error: too many arguments for 'cost'"],
  ["cost --format xml", "Allowed choices are table, markdown, json, html"],
  ["cost --fail-over-total much", AMOUNT],
  ["cost --fail-over-increase -1", AMOUNT],
  ["cost --fail-over-total 1e3", AMOUNT],
  ["cost --preview - --stack dev", "error: option '--preview <file>' cannot be used with option '-s, --stack <name>'"],
  ["cost --preview - --destroy", "cannot be used with option '--destroy'"],
  ["cost --preview - --requote", "cannot be used with option '--requote'"],
  ["cost --preview - --target x", "cannot be used with option '--target <urn>'"],
  ["cost --requote --destroy", "cannot be used with option"],
  ["cost --preview - -- --refresh", "error: flags after -- go to pulumi, but --preview does not run pulumi"],
  ["cost comment github", "required option '--pr <number>' not specified"],
  ["cost comment github --pr twelve", "It must be a number such as 12."],
  ["cost comment github --pr 12 --min-change much", AMOUNT],
  ["cost comment github --pr 12 --format json", "unknown option '--format'"],
  ["rotate", "error: give --check or --audit"],
  ["rotate --check --audit", "error: option '--check' cannot be used with option '--audit'"],
  ["rotate --audit --within 14d", "error: option '--audit' cannot be used with option '--within <duration>'"],
  ["rotate --check --stack dev --state -", "cannot be used with option '-s, --stack <name>'"],
  ["rotate --check --stack=", EMPTY],
  ["rotate --check --within soon", DURATION],
  ["rotate --audit --wait-quiet 1h", "option '--wait-quiet <duration>' cannot be used with option '--audit'"],
  ["rotate --check --wait-quiet soon", DURATION],
  ["rotate --check --wait-quiet 0h", DURATION],
  ["rotate --check --wait-quiet -1h", DURATION],
  ["rotate --check --wait-quiet P999999999Y", DURATION],
  ["rotate --check --format xml", "Allowed choices are table, json."],
  ["rotate --audit --days 0", "It must be a number from 1 to 3660."],
  ["rotate --audit --days 1.5", "It must be a number from 1 to 3660."],
  ["completion tcsh", "bash, zsh, fish"],
  ["simulator --operation-time soon", OPERATION_TIME],
  ["simulator --latency 25d", 'error: --latency must be at most 12d, not "25d"\n'],
  ["simulator --port 70000", 'error: --port must be a port from 0 to 65535, not "70000"\n'],
  ["simulator --dialect other", 'error: --dialect must be spec or nirvana, not "other"\n'],
  ["simulator --rate-limit 0", 'error: --rate-limit must be a number of requests per second above 0, not "0"\n'],
])("exits with 2 for `cloudinfra %s`", async (line, message) => {
  const { code, stdout, stderr } = await runCli(line.split(" ").filter(Boolean));
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

it.each([
  ["vms:read", "did you mean vm:read?"],
  ["vm:raed", "did you mean vm:read?"],
  ["api-key:Edit", "did you mean api_key:edit?"],
  ["vm:read,volumes:edit", "did you mean volume:edit?"],
  ["vm:write", "write vm:read or vm:edit."],
  ["vm", "write vm:read or vm:edit."],
  ["machines:read", "write <type>:read or <type>:edit, with one of the types vm, vpc, "],
])("with-key --permissions %s suggests the valid value", async (list, advice) => {
  const { code, stderr } = await runCli(["with-key", "--permissions", list, "--for", "15m", "--", "true"]);
  expect(code).toBe(2);
  expect(stderr).toContain(`" is no permission: ${advice}`);
});

const PREVIEW = "A preview is what `pulumi preview --json --show-sames` prints.";
const NO_URN = '{"deployment": {"resources": [{"type": "x"}]}}';
const STATE = "A state is what `pulumi stack export` prints.";

it.each([
  ["cost --preview -", "canary", `Standard input is not JSON. ${PREVIEW}`],
  ["cost --preview -", "", `Standard input is not JSON. ${PREVIEW}`],
  ["cost --preview -", "null", `Standard input holds no preview. ${PREVIEW}`],
  ["cost --preview -", "[]", `Standard input holds no preview. ${PREVIEW}`],
  ["cost --preview -", '{"deployment": {"resources": []}}', `Standard input holds no preview. ${PREVIEW}`],
  ["cost --preview -", '{"steps": [{"op": 1}], "changeSummary": {}}', `Standard input holds no preview. ${PREVIEW}`],
  ["cost --preview missing.json", "", "missing.json cannot be read: there is no such file."],
  ["rotate --check --state -", "canary", `Standard input is not JSON. ${STATE}`],
  ["rotate --check --state -", "null", `Standard input holds no state. ${STATE}`],
  ["rotate --check --state -", '{"version": 3}', `Standard input holds no state. ${STATE}`],
  ["rotate --check --state -", '{"deployment": {"resources": 3}}', `Standard input holds no state. ${STATE}`],
  ["rotate --audit --state -", NO_URN, `Standard input holds no state. ${STATE}`],
  ["rotate --check --state missing.json", "", "missing.json cannot be read: there is no such file."],
  ["rotate --check --state .", "", ". cannot be read: it is a folder."],
])("`cloudinfra %s` refuses the input %j", async (line, stdin, message) => {
  const stderr = `error: ${message}\n`;
  expect(await runCli(line.split(" "), { stdin, cwd: tmpdir() })).toEqual({ code: 1, stdout: "", stderr });
});
