import fc from "fast-check";
import type { Front } from "../../engine/support/programs";
import { conditionsInWords } from "./conditions";
import { type Neighbour, neighbours } from "./fault";
import type { Surroundings, ProgramResource } from "./program";
import { conditions, type Conditions, type Damage, damages, edits, type Programs, slots } from "./schedule";
import { beside, changesInWords, damageInWords, slotsInWords } from "./words";

/** What happens to the last run, and when. */
export interface Accident {
  readonly accident:
    | "the plugin is killed"
    | "the CLI is killed"
    | "Ctrl-C twice"
    | "the connection breaks"
    | "a 404 that is not the API's";
  readonly when: "before it arrives" | "after its effect";
  /** The number of the request in the run. Quotes count. */
  readonly nth: number;
  /** If the request is a creation: somebody else creates an equal object at that moment. */
  readonly neighbour?: Neighbour;
}

/** A small program that is deployed once or twice. Something happens to the last run. */
export interface EngineSchedule extends Programs {
  readonly accident: Accident;
  readonly conditions: Conditions;
  /** The spelling of the addresses in the last run and each later one, in rotation. */
  readonly spellings: readonly [number, number];
  /** What happens to the journal after the last run. */
  readonly damage?: Damage;
  /** True if the person clears pending operations before the next run. */
  readonly clearsFirst: boolean;
}

/** Components have their own URNs. The other campaign has RotatingApiKeys. */
const plainSlots = slots.map((slot) => ({ ...slot, isRotating: false }));

const accident: fc.Arbitrary<Accident> = fc.record(
  {
    accident: fc.constantFrom(
      ...([
        "the plugin is killed",
        "the CLI is killed",
        "the CLI is killed",
        "Ctrl-C twice",
        "Ctrl-C twice",
        "the connection breaks",
        "a 404 that is not the API's",
      ] as const),
    ),
    when: fc.constantFrom("before it arrives" as const, "after its effect" as const),
    nth: fc.integer({ min: 1, max: 7 }),
    neighbour: neighbours,
  },
  { requiredKeys: ["accident", "when", "nth"] },
);

/** Any schedule for the real engine. Its clock is real, so delays are short. */
export const engineSchedules: fc.Arbitrary<EngineSchedule> = fc.noBias(
  fc.record(
    {
      slots: fc.array(plainSlots, { minLength: 1, maxLength: 3 }),
      versions: fc.array(fc.record({ edits: fc.array(edits, { minLength: 1, maxLength: 3 }) }), {
        minLength: 1,
        maxLength: 2,
      }),
      accident,
      conditions: conditions.map((drawn) => ({ ...drawn, lateAudit: Math.min(drawn.lateAudit, 2) })),
      spellings: fc.tuple(fc.nat(2), fc.nat(2)),
      damage: damages,
      clearsFirst: fc.boolean(),
    },
    { requiredKeys: ["slots", "versions", "accident", "conditions", "spellings", "clearsFirst"] },
  ),
);

/** The schedule in words. */
export function engineScheduleInWords(schedule: EngineSchedule): string {
  const { slots: all, versions, accident: happens, conditions: service, spellings, damage, clearsFirst } = schedule;
  const last = versions.length - 1;
  return [
    slotsInWords(all),
    ...[conditionsInWords(service)].filter((text) => text !== ""),
    ...versions.map(
      ({ edits: changed }, nth) =>
        `Run ${nth + 1}${changesInWords(changed, all.length)}${nth === last ? accidentInWords(happens) : ""}`,
    ),
    ...(damage ? [damageInWords(damage)] : []),
    ...(spellings[0] === spellings[1] ? [] : ["From then on the addresses are spelled differently."]),
    `Then what a person does: pulumi cancel, ${clearsFirst ? "refresh --clear-pending-creates, up" : "up, refresh --clear-pending-creates"}.`,
  ].join("\n");
}

function accidentInWords({ accident, when, nth, neighbour }: Accident): string {
  return `, ${accident} at request ${nth}, ${when}${beside(neighbour)}`;
}

/** A version of the program as JavaScript, for the real engine. */
export function programOf(front: Front, declared: readonly ProgramResource[], { adoptees }: Surroundings): string {
  const statements = declared
    .filter(({ isThere }) => isThere)
    .map(({ type, name, dependsOn, args, mayAdopt }) => {
      const { tags, ...others } = args;
      const ids = dependsOn.map((other) => `${other}.id.apply((id) => \`of-\${id}\`)`);
      const members = Object.entries({
        ...others,
        ...(mayAdopt && adoptees.has(name) && { adopt: adoptees.get(name) }),
      });
      const fields = members.map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
      const list = (tags as readonly string[] | undefined)?.map((tag) => JSON.stringify(tag)).concat(ids);
      if (list) fields.push(`tags: [${list.join(", ")}]`);
      return `const ${name} = new cloudinfra.${type}("${name}", { ${fields.join(", ")} });`;
    });
  return [`const cloudinfra = require("${front}");`, ...statements].join("\n");
}
