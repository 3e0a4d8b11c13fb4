// A self-signed certificate for this machine, a new one in each run: Node has no function for it.

import { generateKeyPairSync, sign } from "node:crypto"

export interface Certificate {
  readonly key: string
  readonly cert: string
}

export function createCertificate(name = "localhost"): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const ecdsaWithSha256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
  const commonName = sequence(tagged(0x31, sequence(oid([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from(name)))))
  const now = Date.now()
  const validity = sequence(utcTime(now - 86_400_000), utcTime(now + 86_400_000))
  const names = sequence(tagged(0x82, Buffer.from(name)), tagged(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = tagged(0xa3, sequence(sequence(oid([0x55, 0x1d, 0x11]), tagged(0x04, names))))
  const serial = tagged(0x02, Buffer.from([1]))
  const version = tagged(0xa0, tagged(0x02, Buffer.from([2])))
  const spki = publicKey.export({ type: "spki", format: "der" })
  const body = sequence(version, serial, ecdsaWithSha256, commonName, validity, commonName, spki, extensions)
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]))
  const der = sequence(body, ecdsaWithSha256, signature)
  const lines = der.toString("base64").replace(/.{64}/g, "$&\n")
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const oid = (bytes: readonly number[]): Buffer => tagged(0x06, Buffer.from(bytes))
const utcTime = (at: number): Buffer =>
  tagged(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`))
