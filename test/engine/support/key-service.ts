import { createDecipheriv, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const PROVIDER = "hashivault://tests";
const DATA_KEY = randomBytes(32);
const TAG_LENGTH = 16;

/**
 * Gives the engine the key of a stack's secrets, as a Vault does. With a passphrase, the engine derives that key in
 * every run, which takes more processor time than everything else in the CLI.
 */
export class KeyService {
  private constructor(
    /** The environment that the engine needs. */
    readonly env: Readonly<Record<string, string>>,
    /** Part of the stack's configuration file. */
    readonly settings: Readonly<Record<string, string>>,
    readonly close: () => void,
  ) {}

  static async start(): Promise<KeyService> {
    // A client sends its next request on the same connection, however late.
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      request.resume();
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: { plaintext: DATA_KEY.toString("base64") } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const encryptedKey = Buffer.from("vault:v1:the-only-key").toString("base64");
    return new KeyService(
      { VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "tests" },
      { secretsprovider: PROVIDER, encryptedkey: encryptedKey },
      () => {
        server.closeAllConnections();
        server.close();
      },
    );
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
