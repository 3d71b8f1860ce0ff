import * as pulumi from "@pulumi/pulumi";

interface Secret {
  readonly url: string;
  readonly value: string;
}

/** Fails if the store does not take the secret. Then the update fails, and the old key stays. */
async function send(method: "PUT" | "DELETE", { url, value }: Secret): Promise<void> {
  const headers = { authorization: `Bearer ${process.env["SECRET_STORE_TOKEN"]}` };
  const response = await fetch(url, { method, headers, ...(method === "PUT" && { body: value }) });
  if (!response.ok) throw new Error(`${method} ${url}: the secret store answered ${response.status}`);
}

const provider: pulumi.dynamic.ResourceProvider<Secret, Secret> = {
  diff: async (_id, olds, news) => ({
    changes: olds.url !== news.url || olds.value !== news.value,
    replaces: olds.url === news.url ? [] : ["url"],
  }),
  create: async (secret) => {
    await send("PUT", secret);
    return { id: secret.url, outs: secret };
  },
  update: async (_id, _olds, secret) => {
    await send("PUT", secret);
    return { outs: secret };
  },
  delete: async (_id, secret) => send("DELETE", secret),
};

/** A secret in a store that takes `PUT <url>`. If your store has a Pulumi provider, use a resource of that instead. */
export class StoredSecret extends pulumi.dynamic.Resource {
  constructor(
    name: string,
    args: { readonly url: pulumi.Input<string>; readonly value: pulumi.Input<string | undefined> },
    options?: pulumi.CustomResourceOptions,
  ) {
    super(provider, name, { ...args, value: pulumi.secret(args.value) }, options);
  }
}
