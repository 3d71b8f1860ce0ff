import { kinds } from "../../src/resources/registry";
import { up } from "../support/mini-engine";
import { refresh } from "../support/mini-refresh";
import { plain } from "../support/mini-state";
import { rewrite } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { collectionPath, World, type WireObject } from "../support/world";
import { harmless } from ".";
import { replacementIn } from "./support/claims";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

/** The forms in which an API answers a creation. */
const forms: Readonly<Record<string, (object: WireObject, secrets: object) => object>> = {
  "the object": (object) => object,
  "the object, still to be made": (object) => ({ ...object, status: "creating" }),
  "an operation, and the secret beside it": ({ id, ...object }, secrets) => ({
    ...{ id: "operation-1", resource_id: id, kind: "any", type: "create", status: "done", project_id: "p" },
    ...{ created_at: object["created_at"], updated_at: object["updated_at"], ...secrets },
  }),
};

const withSecrets = kinds.filter(({ secretOutputs }) => secretOutputs.length > 0);

describe.each(withSecrets.map((kind) => [kind.type, kind] as const))(
  "a secret that only the creation of %s shows",
  (type, kind) => {
    it.each(Object.keys(forms))("keeps and never prints a secret; answer: %s", async (form) => {
      const members = kind.secretOutputs.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      proxy.on(
        { method: "POST", path: new RegExp(`^${collectionPath(type)}$`) },
        rewrite(async (answer, path) => {
          const secrets = Object.fromEntries(members.map((member) => [member, answer[member]]));
          const made = answer["resource_id"] as string | undefined;
          const object = made === undefined ? answer : { ...(await world.api("GET", `${path}/${made}`)), ...secrets };
          return forms[form]!(object as WireObject, secrets) as Record<string, unknown>;
        }),
      );
      const run = world.run({ baseUrl: proxy.url });
      const args = world.args(type);
      const secretsOf = (outs: Readonly<Record<string, unknown>>): unknown[] =>
        kind.secretOutputs.map((name) => outs[name]);

      const { outs } = await world.create(type, { ...args, name: "another" }, { run });
      const made = (await up(run, type, args, undefined)).state;
      expect(secretsOf(plain(outs) as typeof outs)).toEqual(
        kind.secretOutputs.map(() => expect.stringMatching(/./) as string),
      );
      expect(secretsOf(outs)).not.toEqual(secretsOf(plain(outs) as typeof outs)); // marked
      const updated = (await up(run, type, { ...args, ...harmless(type, "new") }, made)).state;
      expect(secretsOf(updated.outs)).toEqual(secretsOf(made.outs));
      const refreshed = await refresh(run, type, updated);
      expect(secretsOf(refreshed!.outs)).toEqual(secretsOf(made.outs));
      const another = await replacementIn(world, kind);
      const replaced = (await up(run, type, { ...args, ...harmless(type, "new"), ...another }, refreshed)).state;
      expect(replaced.id).not.toBe(made.id);
      expect(secretsOf(replaced.outs)).toEqual(kind.secretOutputs.map(() => expect.stringMatching(/./) as string));
      expect(secretsOf(replaced.outs)).not.toEqual(secretsOf(made.outs));
      const printed = run.lines.map(({ text }) => text).join("\n");
      for (const secret of [...secretsOf(made.outs), ...secretsOf(replaced.outs)])
        expect(printed).not.toContain(secret);
    });
  },
);
