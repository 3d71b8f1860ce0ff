import { AsyncLocalStorage } from "node:async_hooks";
import { CloudinfraError } from "../api/errors";
import { messageOf } from "../lifecycle/errors";

/** A resource of the component could not be registered. */
class ComponentError extends CloudinfraError {
  readonly code = "COMPONENT_FAILED";
}

type Fail = (error: unknown) => void;

const failOfComponent = new AsyncLocalStorage<Fail>();
const failsUnderWay = new Set<Fail>();

/**
 * Runs the work that makes a component. If a registration fails, Pulumi's SDK throws an uncaught error, which would end the process. Here
 * such an error fails only this component.
 */
export async function withUncaughtErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (!process.listeners("unhandledRejection").includes(failOwner)) process.on("unhandledRejection", failOwner);
  let fail: Fail = () => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failsUnderWay.add(fail);
  try {
    return await Promise.race([failure, failOfComponent.run(fail, work)]);
  } catch (error) {
    throw isOfSdk(error) ? new ComponentError(messageOf(error), { cause: error }) : error;
  } finally {
    failsUnderWay.delete(fail);
  }
}

/** If no component is under way, the error ends the process, as it does without this listener. */
function failOwner(error: unknown): void {
  const owner = failOfComponent.getStore();
  const failed = owner === undefined ? [...failsUnderWay] : [owner];
  if (failed.length === 0) throw error;
  for (const fail of failed) fail(error);
}

/** True for errors of the SDK, which are plain Errors. Those of this package and of the language have classes of their own. */
function isOfSdk(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}
