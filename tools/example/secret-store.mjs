import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A stand-in for a secret store: PUT and DELETE of paths, with a token. While `isDown`, it answers 503. */
export class SecretStore {
  token = "the token of the store";
  isDown = false;
  secrets = new Map();
  #server = createServer(async (request, response) => {
    const body = await text(request);
    const isKnown = request.headers.authorization === `Bearer ${this.token}`;
    if (isKnown && !this.isDown) {
      if (request.method === "PUT") this.secrets.set(request.url, body);
      else this.secrets.delete(request.url);
    }
    response.writeHead(this.isDown ? 503 : isKnown ? 204 : 401).end();
  });

  /** Resolves with the URL. Its server does not keep the process alive. */
  async start() {
    this.#server.listen(0, "127.0.0.1").unref();
    await once(this.#server, "listening");
    return `http://127.0.0.1:${this.#server.address().port}`;
  }
}
