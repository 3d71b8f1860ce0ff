import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

/** A self-signed certificate with its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** Makes a certificate for these names and addresses (RFC 5280). By default it is valid from yesterday to tomorrow. */
export function makeCertificate(
  names: readonly string[],
  { fromDay = -1, toDay = 1 }: { readonly fromDay?: number; readonly toDay?: number } = {},
): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid.commonName, der(0x0c, Buffer.from(names[0] ?? "")))));
  const alternatives = sequence(
    ...names.map((text) => (isIPv4(text) ? der(0x87, addressOf(text)) : der(0x82, Buffer.from(text)))),
  );
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number
    sequence(oid.ecdsaWithSha256),
    name,
    sequence(time(fromDay), time(toDay)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid.subjectAltName, der(0x04, alternatives)))),
  );
  const signature = sign("sha256", certificate, privateKey);
  const encoded = sequence(certificate, sequence(oid.ecdsaWithSha256), der(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

const oid = {
  ecdsaWithSha256: Buffer.from("06082a8648ce3d040302", "hex"),
  commonName: Buffer.from("0603550403", "hex"),
  subjectAltName: Buffer.from("0603551d11", "hex"),
} as const;

/** A DER value: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const bytes = body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff];
  const length = body.length < 0x80 ? [body.length] : bytes;
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);

function time(day: number): Buffer {
  const text = new Date(Date.now() + day * DAY_MS).toISOString().replaceAll(/\D/g, "");
  return der(0x17, Buffer.from(`${text.slice(2, 14)}Z`));
}

function addressOf(text: string): Buffer {
  return Buffer.from(text.split(".").map(Number));
}
