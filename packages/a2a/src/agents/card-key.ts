// Signs agent cards with the operator's key, so that clients with the public key can detect an altered card
// (specification §8.4). The key is a file with a private JWK. The file is read once, and errors never contain the key.

import { readFileSync } from "node:fs"
import { type AgentCard, generateAgentCardSignature } from "@a2a-js/sdk"
import { parseObject } from "@holdpoint/agents/internal"
import { HoldpointError } from "@holdpoint/hub"

export type SignCard = (card: AgentCard) => Promise<AgentCard>

/** Only asymmetric algorithms: with a shared secret, every client could sign cards. */
const algorithms: readonly string[] = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "RS256", "PS256"]
const algorithmOf: Readonly<Record<string, string>> = {
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
  Ed25519: "EdDSA",
}

/** Throws `invalid_config` when the file has no private JWK with a key id. */
export function readCardKey(file: string): SignCard {
  const { kid, alg = "", crv = "", d, ...key } = parseObject(readText(file)) ?? {}
  const algorithm = String(alg) || (algorithmOf[String(crv)] ?? "")
  if (typeof d !== "string") throw wrongKey(file, "it is not a private JSON Web Key (RFC 7517)")
  if (typeof kid !== "string" || kid === "") throw wrongKey(file, "it has no key id (kid), by which clients find it")
  if (!algorithms.includes(algorithm)) throw wrongKey(file, `its alg must be one of ${algorithms.join(", ")}`)
  const jwk = { ...key, kid, d, alg: algorithm, ...(crv === "" ? {} : { crv: String(crv) }) }
  const sign = generateAgentCardSignature(jwk, { alg: algorithm, kid, typ: "JOSE" })
  // Signs a copy, because the SDK adds the signature to its argument.
  return (card) => sign({ ...card, signatures: [] })
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    throw wrongKey(file, `it cannot be read (${code})`)
  }
}

const wrongKey = (file: string, problem: string): HoldpointError =>
  new HoldpointError(
    "invalid_config",
    `The file ${file} (agents.cardKey) has no usable key for agent cards: ${problem}.`,
  )
