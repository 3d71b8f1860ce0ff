import type { IncomingMessage } from "node:http";
import { HttpStandIn, type StandInAnswer } from "./http-stand-in";

const MADE_AT = new Date(0);

/** An S3 bucket, with as much of the service as Pulumi's backend needs. */
export class S3StandIn extends HttpStandIn {
  readonly #objects = new Map<string, string>();

  /** Two addresses of the same backend, whose queries differ in order. */
  backends(): readonly [string, string] {
    const query = [`endpoint=${this.origin}`, "s3ForcePathStyle=true", "region=us-east-1"];
    return [`s3://states?${query.join("&")}`, `s3://states?${query.reverse().join("&")}`];
  }

  protected answer({ method, url = "", headers }: IncomingMessage, sent: string): StandInAnswer {
    const { pathname, searchParams } = new URL(url, this.origin);
    const key = keyIn(pathname);
    if (key === "") return this.#list(searchParams.get("prefix") ?? "");
    const source = headers["x-amz-copy-source"];
    const kept = this.#objects.get(typeof source === "string" ? keyIn(source) : key);
    if (method === "PUT") {
      this.#objects.set(key, source === undefined ? sent : (kept ?? ""));
      return { status: 200, text: "<CopyObjectResult/>" };
    }
    if (method === "DELETE") this.#objects.delete(key);
    if (kept === undefined) return { status: 404, text: "<Error><Code>NoSuchKey</Code></Error>" };
    const length = String(Buffer.byteLength(kept));
    return { status: 200, text: kept, headers: { "content-length": length, "last-modified": MADE_AT.toUTCString() } };
  }

  /** As with the delimiter `/`, without the folders. */
  #list(prefix: string): StandInAnswer {
    const isInFolder = (key: string): boolean => key.startsWith(prefix) && !key.slice(prefix.length).includes("/");
    const contents = [...this.#objects]
      .filter(([key]) => isInFolder(key))
      .map(
        ([key, { length }]) =>
          `<Contents><Key>${key}</Key><Size>${length}</Size><ETag>"1"</ETag><LastModified>${MADE_AT.toISOString()}</LastModified></Contents>`,
      );
    return { status: 200, text: `<ListBucketResult>${contents.join("")}</ListBucketResult>` };
  }
}

const keyIn = (path: string): string => decodeURIComponent(path).replace(/^\/?states\/?/, "");
