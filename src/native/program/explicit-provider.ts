import * as pulumi from "../../engine/pulumi-sdk";
import { NAMESPACE, type ConfigKey } from "../../engine/settings-list";
import { isOwnProvider, reservedNameText } from "../../engine/urn";
import { warnOfMissingPlugin } from "./missing-plugin";
import { version } from "../../process/version";

/**
 * The settings of an explicit provider, with the names of the stack's configuration. The environment may give those
 * that it leaves out.
 */
export type ProviderArgs = { readonly [Key in ConfigKey]?: pulumi.Input<string> | undefined };

/**
 * An explicit provider: another account, another API or another region beside the stack's own. Give it to resources and
 * functions as the option `provider`, or to a component as `providers`. Throws pulumi.RunError for a name that Pulumi
 * gives to the stack's own provider.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options?: pulumi.ResourceOptions) {
    if (isOwnProvider(name)) throw new pulumi.RunError(reservedNameText(name));
    void warnOfMissingPlugin();
    const { apiKey, ...others } = args;
    const inputs = { ...others, ...(apiKey !== undefined && { apiKey: pulumi.secret(apiKey) }) };
    super(NAMESPACE, name, inputs, { version, ...options });
  }
}
