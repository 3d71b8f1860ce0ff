import { sent, type TestRun } from "../../support/lifecycle";

/** The reasons for which a run refuses a new resource. */
export async function reasonsOf(run: TestRun, type: string, name: string, args: object, isPreview = true) {
  const { failures } = await run.of(type).check({}, sent(type, name, args, isPreview));
  return failures.map(({ reason }) => reason);
}
