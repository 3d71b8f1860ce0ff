import { createDecipheriv, randomBytes } from "node:crypto";
import { HttpStandIn, type StandInAnswer } from "../../support/http-stand-in";

const DATA_KEY = randomBytes(32);
const TAG_LENGTH = 16;

/**
 * Gives the engine the key of a stack's secrets, as a Vault does. With a passphrase, the engine derives that key in
 * every run, which takes more processor time than everything else in the CLI.
 */
export class KeyService extends HttpStandIn {
  /** Part of the stack's configuration file. */
  readonly settings: Readonly<Record<string, string>> = {
    secretsprovider: "hashivault://tests",
    encryptedkey: Buffer.from("vault:v1:the-only-key").toString("base64"),
  };

  /** The environment that the engine needs. */
  get env(): Readonly<Record<string, string>> {
    return { VAULT_SERVER_URL: this.origin, VAULT_SERVER_TOKEN: "tests" };
  }

  protected override answer(): StandInAnswer {
    return { status: 200, body: { data: { plaintext: DATA_KEY.toString("base64") } } };
  }

  /**
   * Decrypts what the engine has encrypted with this key: `v1:<nonce>:<ciphertext>`, by AES-GCM. Throws if the key was
   * another.
   */
  static decrypt(encrypted: string): string {
    const [, nonce = "", text = ""] = encrypted.split(":");
    const bytes = Buffer.from(text, "base64");
    const decipher = createDecipheriv("aes-256-gcm", DATA_KEY, Buffer.from(nonce, "base64"));
    decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_LENGTH)), decipher.final()]).toString();
  }
}
