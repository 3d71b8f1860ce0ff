import { z } from "zod";

/**
 * What `cloudinfra doctor --format json` prints. docs/doctor.schema.json is made from this:
 * `UPDATE_GOLDEN=true npm test -- test/cli/published-schemas`.
 */
export const doctorDocument = z
  .strictObject({
    version: z.literal("1"),
    fine: z.boolean().meta({ description: "Whether a program can work with this. If it is true, the exit code is 0." }),
    findings: z.array(
      z.strictObject({
        verdict: z.enum(["ok", "no", "unknown"]).meta({ description: "unknown: nobody asked, or nobody can tell." }),
        subject: z.string().meta({ description: "What was looked at, such as `credential`." }),
        finding: z.string().meta({ description: "What was found, in words." }),
      }),
    ),
    advice: z.array(z.string()).meta({ description: "What to do about it, in sentences." }),
  })
  .meta({ title: "What `cloudinfra doctor --format json` prints" });
