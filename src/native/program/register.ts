import { NAMESPACE } from "../../engine/config-keys";
import { inputsOf, optionsOf, refuseUnusable, urnOf, type Register } from "../../program/resource";
import { warnOfMissingPlugin } from "./missing-plugin";
import { checkConfiguration } from "../../program/running-program";
import { dynamicToken, nativeToken } from "../../engine/urn";
import { version } from "../../process/version";

/** The constructor's arguments for a resource of the plugin, which the engine finds by its version. */
export const registerNative: Register = (kind, name, args, options = {}) => {
  const token = nativeToken(kind.type);
  const warned = warnOfMissingPlugin();
  // The plugin checks the names of settings. Only the program knows whether the key is secret.
  checkConfiguration((key) => key === `${NAMESPACE}:apiKey`);
  refuseUnusable(kind, name, args, options);
  const usable = { version, ...optionsOf(options, dynamicToken(kind.type)) };
  const inputs = inputsOf(kind, args, options);
  // The SDK awaits the inputs before it calls the engine.
  const late = warned && { __program: warned.then(() => inputs["__program"] as unknown) };
  return { sent: [token, name, { ...inputs, ...late }, usable], urn: urnOf(token, name, options.parent) };
};
