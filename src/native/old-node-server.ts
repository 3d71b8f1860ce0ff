import { ConfigurationError } from "../api/errors/cloudinfra-error";
import { version } from "../process/version";
import { unaryHandler, checkAnswer, unsupportedHandler } from "./engine-answers";
import { EmptyMessage, fillMessage, messages, PluginInfo } from "./messages";
import { schemaText } from "./schema-text";
import { serve } from "./serve";

// Loaded in a Node that is too old for the rest of the provider.

/**
 * Answers the engine's calls with the reason only. If the plugin did not start at all, the engine would call that a bug
 * of the provider.
 */
export function serveRefusal(reason: string): void {
  let isExplained = false;
  /** The full reason comes only once, because a refresh calls for each resource. */
  const refuse = (): never => {
    const text = isExplained
      ? "This Node is too old for pulumi-cloudinfra: another resource says what it needs."
      : reason;
    isExplained = true;
    throw new ConfigurationError(text);
  };
  serve((protocol) => ({
    ...Object.fromEntries(
      Object.entries(protocol).map(([name, method]) => [
        name,
        // The engine continues without these two.
        name === "handshake" || method.responseStream ? unsupportedHandler(method, reason) : unaryHandler(refuse),
      ]),
    ),
    getPluginInfo: unaryHandler(() => fillMessage(new PluginInfo(), { version })),
    getSchema: unaryHandler(() => fillMessage(new messages.GetSchemaResponse(), { schema: schemaText() })),
    cancel: unaryHandler(() => new EmptyMessage()),
    checkConfig: unaryHandler(() => checkAnswer({}, [{ reason }])),
    // Without the error, which the engine would repeat for each resource.
    configure: unaryHandler(() => new messages.ConfigureResponse()),
  }));
}
