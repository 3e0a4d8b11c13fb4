// Signed agent cards, checked with the SDK's verifier: genuine and altered ones.

import { generateKeyPairSync } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk"
import { scriptedModel } from "@holdpoint/agents"
import { startAgents } from "@holdpoint/testkit/agents/agents-server"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, describe, expect, it } from "vitest"
import { readCardKey } from "../../src/agents/card-key.ts"
import { conforms } from "./conforms.ts"

const folder = makeScratchFolder("card-key")
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const publicJwk = publicKey.export({ format: "jwk" })
const privateJwk = { ...privateKey.export({ format: "jwk" }), kid: "cards-1" }

const keyFile = (content: unknown): string => {
  const file = join(folder, `${crypto.randomUUID()}.json`)
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
  return file
}

describe("the card of an agent, with agents.cardKey", () => {
  const read = async (): Promise<string> => {
    const agents = { helper: { model: scriptedModel(() => ({ text: "hello" })) } }
    const server = await startAgents({ agents, cardKey: keyFile(privateJwk) })
    return (await server.get("/a2a/helper/.well-known/agent-card.json")).text()
  }

  const verify = (card: AgentCard) =>
    verifyAgentCardSignature(async (kid) => {
      expect(kid).toBe("cards-1")
      return { ...publicJwk, alg: "ES256" }
    })(card)

  conforms(
    ["CARD-SIGN-001", "CARD-SIGN-002", "CARD-SIGN-003"],
    "has a signature that the SDK verifies, with the key's id and algorithm in its protected header",
    async () => {
      const card = AgentCard.fromJSON(JSON.parse(await read()))
      await verify(card)
      const header = JSON.parse(Buffer.from(card.signatures[0]?.protected ?? "", "base64url").toString())
      expect(header).toEqual({ alg: "ES256", kid: "cards-1", typ: "JOSE" })
      expect(card.signatures).toHaveLength(1)
    },
  )

  it("fails verification when it was altered", async () => {
    const card = AgentCard.fromJSON(JSON.parse(await read()))
    const [first] = card.supportedInterfaces
    const altered = { ...card, supportedInterfaces: [{ ...first, url: "https://elsewhere.example/a2a" }] }
    await expect(verify(AgentCard.fromJSON(altered))).rejects.toThrow()
  })

  it("does not contain the private key", async () => {
    expect(await read()).not.toContain(String(privateJwk.d))
  })
})

describe("agents.cardKey", () => {
  it.each([
    ["a missing file", join(folder, "none.json"), "cannot be read (ENOENT)"],
    ["a file that is not JSON", keyFile("no key"), "not a private JSON Web Key"],
    ["a public key", keyFile({ ...publicJwk, kid: "k" }), "not a private JSON Web Key"],
    ["a key without an id", keyFile({ ...privateJwk, kid: undefined }), "no key id"],
    ["a shared secret", keyFile({ kty: "oct", k: "c2VjcmV0", d: "x", kid: "k", alg: "HS256" }), "its alg must be"],
  ])("is refused for %s, with an error that does not contain the file's content", (_what, file, problem) => {
    const read = (): unknown => readCardKey(file)
    expect(read).toThrow(problem)
    expect(read).not.toThrow(String(privateJwk.d))
  })
})
