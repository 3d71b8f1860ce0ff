import { z } from "zod";

/**
 * The output of `cloudinfra doctor --format json`. docs/doctor.schema.json is made from this: `UPDATE_GOLDEN=true npm test --
 * test/cli/published-schemas`.
 */
export const doctorDocument = z
  .strictObject({
    version: z.literal("1"),
    fine: z.boolean().meta({
      description:
        "True if a program can work with this configuration, and the key may read all. Without --forget, the exit code is then 0.",
    }),
    findings: z.array(
      z.strictObject({
        verdict: z.enum(["ok", "no", "unknown"]).meta({ description: "unknown: not asked, or no clear answer." }),
        subject: z.string().meta({ description: "The checked subject, such as `credential`." }),
        finding: z.string().meta({ description: "The finding, in words." }),
      }),
    ),
    advice: z.array(z.string()).meta({ description: "The next steps, in sentences." }),
  })
  .meta({ title: "The output of `cloudinfra doctor --format json`" });
