// What a token may do here, and how more scopes are requested.

import type { Caller } from "@holdpoint/server/identity"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { covers } from "../../../src/identity/resource/scopes.ts"
import type { TestIssuer } from "./setup.ts"
import { byJwt, createWorld, startIssuer } from "./setup.ts"

let corp: TestIssuer
beforeAll(async () => {
  corp = await startIssuer()
})
afterAll(() => corp.close())

const includes = { admin: ["notes.write"], "notes.write": ["notes.read"] }
const metadataUrl = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"

describe("an operation", () => {
  verifies("caller.step-up", "requests all its scopes in one challenge when one is missing", async () => {
    const { call, server } = createWorld([byJwt(corp)], { requires: ["profile"], includes })
    const caller = (await call(await corp.sign({ scope: "profile notes.read" }))) as Caller
    const answer = server.challenge(caller, ["notes.read", "files.read", "files.write"])
    expect(answer?.status).toBe(403)
    expect(answer?.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", error_description="The token does not cover this. Ask for more.", ' +
        `resource_metadata="${metadataUrl}", scope="profile notes.read files.read files.write"`,
    )
  })

  verifies("caller.step-up", "continues when the token covers it, even through included scopes", async () => {
    const { call, server } = createWorld([byJwt(corp)], { includes })
    const caller = (await call(await corp.sign({ scope: "admin" }))) as Caller
    expect(server.challenge(caller, ["notes.read", "notes.write"])).toBeUndefined()
    expect(server.challenge(caller, [])).toBeUndefined()
    const reader = (await call(await corp.sign({ scope: "notes.read" }))) as Caller
    expect(server.challenge(reader, ["notes.read"])).toBeUndefined()
    expect(server.challenge(reader, ["notes.write"])?.status).toBe(403)
  })

  verifies("caller.step-up", "is not reached without the scopes that every caller needs", async () => {
    const { call, outcomeOf } = createWorld([byJwt(corp)], { requires: ["notes.read"], includes })
    const answer = (await call(await corp.sign({ scope: "other" }))) as Response
    expect(answer.status).toBe(403)
    expect(answer.headers.get("www-authenticate")).toContain('scope="notes.read"')
    expect(await outcomeOf(await corp.sign({ scope: "admin" }))).toBe("ok")
  })

  it("cannot put anything but scopes into the challenge", async () => {
    const { call, server } = createWorld([byJwt(corp)])
    const caller = (await call(await corp.sign())) as Caller
    for (const scope of ['a" , error="', "a\r\nx: y", "a b", "", "offline_access"])
      expect(() => server.challenge(caller, [scope])).toThrow(/must/)
  })
})

describe("scopes that include each other", () => {
  it.each([
    ["in a circle", { a: ["b"], b: ["c"], c: ["a"] }, ["a"], ["a", "b", "c"], true],
    ["not backwards", { a: ["b"] }, ["b"], ["a"], false],
    ["not by a name that every object has", {}, ["constructor", "__proto__"], ["b"], false],
    ["not at all", {}, ["a"], ["a"], true],
    ["for nothing held", { a: ["b"] }, [], ["b"], false],
  ])("are followed %s", (_how, given, held, needed, expected) => {
    expect(covers(held, needed, given)).toBe(expected)
  })
})
