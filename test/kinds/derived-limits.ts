import { shownInput } from "../../src/text/redaction";
import type { Definition, Field, Fields, ValueType } from "../../src/definition/types";
import { OUTPUT_AS_TEXT } from "../support/output-as-text";
import type { Limit } from "./descriptor";

type Members = Readonly<Record<string, unknown>>;
/** A value, and the expected message of check after its path. Empty if the value is valid. */
type Verdict = readonly [value: unknown, reason?: string];

const notAligned = (given: string, aligned: string): Verdict => [
  given,
  `must be network-aligned and in canonical form (is ${given}): write ${aligned}`,
];
const notAPort = 'must be a port from 1 to 65535 such as "443", or a range such as "8000-9000"';
const notAnAddress = 'must be an IPv4 address or CIDR such as "192.0.2.7" or "192.0.2.0/24"';

/**
 * Each limit in a definition's types: a value at it, and one beyond it. They are given in addition to the valid
 * arguments.
 */
export function limitsOf({ inputs }: Definition, args: Members): Limit[] {
  return Object.entries(inputs).flatMap(([name, field]) => [
    ...presence(name, field).map(([value, reason]): Limit => [{ [name]: value }, limitText(name, reason)]),
    ...limitsOfType(name, field.type, args[name], (value) => ({ [name]: value })),
  ]);
}

function limitText(path: string, reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : `${path}: ${reason}`;
}

function presence(name: string, { presence: of, configured, planned }: Field): Verdict[] {
  if (planned === true || name === "name") return []; // its own rule, and a name that check chooses
  const setting = configured?.replace(/[A-Z]/, "_$&").toUpperCase() ?? "";
  const reason = configured
    ? `is required: give it, or set it for the stack with "pulumi config set cloudinfra:${configured} <value>" or CLOUDINFRA_${setting}=<value>`
    : "is required";
  return of === "required" || configured ? [undefined, null].map((none) => [none, reason]) : [[null]];
}

function limitsOfType(path: string, type: ValueType, present: unknown, put: (value: unknown) => Members): Limit[] {
  const faults = asksForValue(type) ? [outputAsText] : [];
  const own = [...faults, ...verdicts(type, present)].map(([value, reason]): Limit => [
    put(value),
    limitText(path, reason),
  ]);
  if (type.kind === "list")
    return [
      ...own,
      ...limitsOfType(`${path}[0]`, type.item, (present as unknown[] | undefined)?.[0], (item) => put([item])),
    ];
  return type.kind === "object" && typeof present === "object"
    ? [...own, ...limitsOfMembers(path, type.members, present as Members, put)]
    : own;
}

function limitsOfMembers(path: string, members: Fields, present: Members, put: (value: unknown) => Members): Limit[] {
  return Object.entries(members).flatMap(([name, { presence: of, type }]): Limit[] => {
    const putMember = (value: unknown): Members => put({ ...present, [name]: value });
    const none = (value: unknown): Limit => [
      putMember(value),
      of === "required" ? `${path}.${name}: is required` : undefined,
    ];
    return [...[undefined, null].map(none), ...limitsOfType(`${path}.${name}`, type, present[name], putMember)];
  });
}

/** A program has made a text from an Output. The SDK's text is a sentence, whose first line is enough. */
const outputAsText: Verdict = [
  `x-${OUTPUT_AS_TEXT.split("\n")[0]}`,
  "contains an Output, and not its value: write pulumi.interpolate`…${output}…`, or output.apply(…)",
];

const asksForValue = ({ kind }: ValueType): boolean => kind !== "anything" && kind !== "number";

function verdicts(type: ValueType, present: unknown): Verdict[] {
  switch (type.kind) {
    case "text":
      return ofText(type);
    case "integer": {
      const { min = 0, max } = type;
      return [
        [1.5, "must be a whole number (is 1.5)"],
        ["100", 'must be a number, and is the string "100": write 100, or read it from the configuration as a number'],
        [10 ** 20, `must be a whole number up to ${Number.MAX_SAFE_INTEGER} (is 100000000000000000000)`],
        [min],
        ...(type.min === undefined ? [] : [[min - 1, `must be at least ${min} (is ${min - 1})`] as const]),
        ...(max === undefined ? [] : [[max] as const, [max + 1, `must be at most ${max} (is ${max + 1})`] as const]),
      ];
    }
    case "oneOf": {
      const known = `must be one of ${type.values.join(", ")}`;
      const [first] = type.values;
      const asText = `must be a number, and is the string "${first}": write ${first}, or read it from the configuration as a number`;
      return [
        ...type.values.map((value): Verdict => [value]),
        ["strange", `${known} (is "strange")`],
        typeof first === "number" ? [String(first), asText] : [7, `${known} (is 7)`],
      ];
    }
    case "boolean":
      return [[true], [false], ["yes", 'must be true or false (is "yes")']];
    case "instant":
      return [["2027", 'must be a date and time in ISO 8601 such as "2027-01-31T00:00:00Z" (is "2027")']];
    case "cidr":
      return [
        ...["010.0.0.0/8", "0x0a.0.0.0/8", "10.0/16"].map((other): Verdict => [
          other,
          `must be a CIDR such as "10.0.0.0/25" (is "${other}")`,
        ]),
        ["10.0.0.0/33", 'must be a CIDR such as "10.0.0.0/25" (is "10.0.0.0/33")'],
        [
          "172.16.0.0",
          'must be a CIDR such as "10.0.0.0/25" (is "172.16.0.0"): for this address alone, write 172.16.0.0/32',
        ],
        ["0.0.0.0", 'must be a CIDR such as "10.0.0.0/25" (is "0.0.0.0"): for every address, write 0.0.0.0/0'],
        notAligned("10.1.0.1/16", "10.1.0.0/16"),
        notAligned("192.168.1.7/24", "192.168.1.0/24"),
      ];
    case "ports":
      return [
        ...["1", "65535", "8000-9000", "8000:9000"].map((port): Verdict => [port]),
        ...["0", "65536", "99999", "http", "80,443", "80-99999", "-1", "080"].map((port): Verdict => [
          port,
          `${notAPort} (is "${port}")`,
        ]),
        ["443-80", '443-80 is reversed: write "80-443"'],
        [443, 'must be a string (is the number 443): write "443"'],
      ];
    case "ipv4Source":
      return ["10.0.0.256", "2001:db8::/32"].map((value) => [value, `${notAnAddress} (is "${value}")`]);
    case "list":
      return ofList(type, present);
    case "object": {
      const words = type.orWord ? type.orWord.enumeration.values : [];
      const before = words.length === 0 ? "" : `one of ${words.join(", ")}, or `;
      const reason = `must be ${before}an object with ${Object.keys(type.members).join(", ")} (is "x")`;
      return [...words.map((word): Verdict => [word]), ["x", reason]];
    }
    case "number":
    case "anything":
      return [];
  }
}

function ofText({ min = 0, max, ifEmpty, form, pattern }: ValueType & { readonly kind: "text" }): Verdict[] {
  const least = ifEmpty === undefined ? min : Math.max(min, 1);
  const range = min === max ? `exactly ${min}` : `${least} to ${max}`;
  const wrongLength = (length: number): Verdict[] => {
    const value = "n".repeat(length);
    return [[value, `must have ${range} characters (has ${length}: ${shownInput(value)})`]];
  };
  return [
    [7, form === undefined ? 'must be a string (is the number 7): write "7"' : `must be ${form} (is 7)`],
    ...(ifEmpty === undefined ? [] : ["", " "].map((none): Verdict => [none, `is empty: ${ifEmpty}`])),
    ...(min > 0 ? [["n".repeat(min)] as const, ...wrongLength(min - 1)] : []),
    ...(max === undefined ? [] : [["n".repeat(max)] as const, ...wrongLength(max + 1)]),
    ...(pattern === undefined ? [] : [["Not / a name", `must be ${pattern.words} (is "Not / a name")`] as const]),
  ];
}

function ofList({ item, min = 0, max }: ValueType & { readonly kind: "list" }, present: unknown): Verdict[] {
  const [one = "x"] = (present as readonly unknown[] | undefined) ?? [];
  const of = (length: number): unknown[] => Array.from({ length }, () => one);
  const ofObjects = item.kind === "object";
  return [
    ["a", `must be a list (is "a")${ofObjects ? "" : ': write ["a"]'}`],
    [
      { env: "prod" },
      `must be a list (is an object): write ${ofObjects ? "it in brackets, [{ … }]" : 'a list of strings, such as ["env=prod"]'}`,
    ],
    ...(ofObjects ? [] : [[443, 'must be a list (is 443): write ["443"]'] as const]),
    ...(min > 0
      ? [[of(0), `must have at least ${min} ${min === 1 ? "item" : "items"} (has 0): add one`] as const]
      : []),
    ...(max === undefined
      ? []
      : [[of(max)] as const, [of(max + 1), `must have at most ${max} items (has ${max + 1})`] as const]),
  ];
}
