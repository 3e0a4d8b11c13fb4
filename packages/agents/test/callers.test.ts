// Who may call the run API: people by session, token or a program's short-lived token; programs by API key.

import { question, readStream, textOf } from "@holdpoint/testkit/agents/agents-server"
import {
  apiKey,
  type CallersWorld,
  chatOrigin,
  openCallersWorld,
  showing,
} from "@holdpoint/testkit/agents/callers-world"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest"

let world: CallersWorld
beforeAll(async () => {
  world = await openCallersWorld({ limits: { runsPerPerson: 2 } })
})
afterAll(() => world.close())
afterEach(() => {
  world.clock.aheadMs = 0
})

const replyText = async (response: Response): Promise<string> => textOf(await readStream(response).rest())
const codeOf = async (response: Response): Promise<unknown> => [response.status, (await problemOf(response)).code]
const problemOf = async (response: Response) => (await response.json()) as Record<string, string>

describe("a person", () => {
  it("talks to an agent from a page of this server, with their session", async () => {
    expect(await replyText(await world.say("c", "hello", await world.session("alice")))).toBe("You said: hello")
  })

  it("talks to an agent through a program with a token for /run", async () => {
    expect(await replyText(await world.say("c", "hello", await world.bearer("alice")))).toBe("You said: hello")
  })

  it("is the same by session, by token, and by the token of a program that acts for them", async () => {
    await replyText(await world.say("same", "hello", await world.session("carol")))
    for (const headers of [await world.bearer("carol"), await world.minted("carol")]) {
      const response = await world.send("/run/api/conversations/same", { headers })
      expect(response.status).toBe(200)
      expect(await response.text()).toContain("You said: hello")
    }
  })

  it("may have a limited number of replies in progress, and gets 429 beyond that", async () => {
    const headers = await world.session("dora")
    const streams = await Promise.all(["one", "two", "three", "four"].map((id) => world.say(id, "wait", headers)))
    expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429])
    const refused = streams.find(({ status }) => status === 429) as Response
    expect(refused.headers.get("retry-after")).toBe("5")
    expect(await codeOf(refused)).toEqual([429, "too_many_runs"])
    expect((await world.say("five", "hello", await world.session("erin"))).status).toBe(200)
    for (const id of ["one", "two", "three", "four"])
      await world.send(`/run/api/chat/${id}/stop`, { body: {}, headers })
    for (const stream of streams.filter(({ status }) => status === 200)) await readStream(stream).rest()
    expect(await replyText(await world.say("six", "hello", headers))).toBe("You said: hello")
  })

  it("keeps the old reply when it cannot be replaced because too many are in progress", async () => {
    const headers = await world.session("hans")
    await replyText(await world.say("kept", "hello", headers))
    const streams = [await world.say("one", "wait", headers), await world.say("two", "wait", headers)]
    const again = { id: "kept", trigger: "regenerate-message" }
    expect((await world.send("/run/api/chat", { body: again, headers })).status).toBe(429)
    const response = await world.send("/run/api/conversations/kept", { headers })
    expect(await response.text()).toContain("You said: hello")
    for (const id of ["one", "two"]) await world.send(`/run/api/chat/${id}/stop`, { body: {}, headers })
    for (const stream of streams) await readStream(stream).rest()
  })

  it("may exceed the limit with replies that wait for an answer", async () => {
    const headers = await world.session("fred")
    for (const id of ["one", "two", "three"]) await question(readStream(await world.say(id, "trip", headers)))
    expect(await replyText(await world.say("four", "hello", headers))).toBe("You said: hello")
  })
})

describe("a token for /run", () => {
  it("is asked for by a challenge that leads to the metadata of this API", async () => {
    const refused = await world.say("c", "hello", {})
    expect(refused.headers.get("content-type")).toBe("application/problem+json")
    const { publicUrl } = world.server
    const metadataUrl = `${publicUrl}/.well-known/oauth-protected-resource/run`
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="agents.run"`,
    )
    expect(await codeOf(refused)).toEqual([401, "not_signed_in"])
    const metadata = await fetch(metadataUrl, { headers: { origin: "https://any.example" } })
    expect(metadata.headers.get("access-control-allow-origin")).toBe("*")
    expect(await metadata.json()).toMatchObject({
      ...{ resource: `${publicUrl}/run`, authorization_servers: [publicUrl], scopes_supported: ["agents.run"] },
    })
  })

  it("is refused after it expires", async () => {
    const headers = await world.bearer("alice")
    world.clock.aheadMs = 24 * 60 * 60_000
    const refused = await world.say("c", "hello", headers)
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"')
    expect(await codeOf(refused)).toEqual([401, "invalid_token"])
  })

  it("is refused immediately after the person withdraws their consent", async () => {
    const headers = await world.bearer("gina")
    expect((await world.say("c", "hello", headers)).status).toBe(200)
    const consents = world.server.authorization?.consents
    for (const { id } of (await consents?.list(world.person("gina"))) ?? [])
      await consents?.withdraw(world.person("gina"), id)
    expect(await codeOf(await world.say("c", "hello", headers))).toEqual([401, "invalid_token"])
  })
})

describe("a token of a configured issuer", () => {
  it("for this API is accepted, and refused for another audience or without the scope", async () => {
    const issuer = "https://login.example"
    const { publicKey, privateKey } = await generateKeyPair("ES256")
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }] }
    const verify = { by: "keys", keys: () => keys } as const
    const open = await openCallersWorld({ issuers: [{ issuer, tenant: "partner", verify }] })
    onTestFinished(() => open.close())
    const statusWith = async (aud: string, scope: string): Promise<number> => {
      const token = await new SignJWT({ scope, client_id: "partner-app" })
        .setProtectedHeader({ alg: "ES256", kid: "k1", typ: "at+jwt" })
        .setIssuer(issuer)
        .setSubject("ivy")
        .setAudience(`${open.server.publicUrl}${aud}`)
        .setIssuedAt()
        .setJti("t-1")
        .setExpirationTime("5m")
        .sign(privateKey)
      return (await open.say("c", "hello", { authorization: `Bearer ${token}` })).status
    }
    expect(await statusWith("/run", "agents.run")).toBe(200)
    expect(await statusWith("/mcp", "agents.run")).toBe(401)
    expect(await statusWith("/run", "notes.read")).toBe(403)
  })
})

describe("a token that a program gets for a person", () => {
  it("comes with its expiry time, in a response that must not be stored", async () => {
    const response = await world.mint({ subject: "alice", seconds: 60 })
    expect(response.status).toBe(201)
    expect(response.headers.get("cache-control")).toBe("no-store")
    const { tokenType, expiresAt } = await problemOf(response)
    expect(tokenType).toBe("Bearer")
    expect(Math.abs(Date.parse(expiresAt ?? "") - Date.now() - 60_000)).toBeLessThan(30_000)
  })

  it("lets a page of a listed origin talk, and read the response", async () => {
    const response = await world.say("m", "hello", await world.minted("alice"))
    expect(response.headers.get("access-control-allow-origin")).toBe(chatOrigin)
    expect(response.headers.get("access-control-allow-credentials")).toBeNull()
    expect(response.headers.get("vary")).toContain("origin")
    expect(await replyText(response)).toBe("You said: hello")
  })

  it("answers the person's questions", async () => {
    const headers = await world.minted("alice")
    const stream = readStream(await world.say("answered", "trip", headers))
    const { elicitationId } = await question(stream)
    const answer = { conversationId: "answered", elicitationId, action: "accept", content: { where: "Rome" } }
    expect((await world.send("/run/api/elicitation-responses", { body: answer, headers })).status).toBe(200)
    expect(textOf(await stream.rest())).toContain("to Rome")
  })

  it.each([
    [{}, "invalid_token_request"],
    [{ subject: "" }, "invalid_token_request"],
    [{ subject: "a\nb" }, "invalid_token_request"],
    [{ subject: "alice", seconds: 901 }, "invalid_token_request"],
    [{ subject: "alice", seconds: 0 }, "invalid_token_request"],
    [{ subject: "alice", seconds: "60" }, "invalid_token_request"],
    [{ subject: "alice", conversationId: "two words" }, "invalid_conversation"],
  ])("is refused for %j", async (body, code) => {
    expect(await codeOf(await world.mint(body))).toEqual([400, code])
  })
})

describe("a program with an API key", () => {
  it.each([
    ["x-api-key", { "x-api-key": apiKey }],
    ["a bearer, as OpenAI's clients send it", { authorization: `Bearer ${apiKey}` }],
  ])("talks to an agent with %s, in conversations of its own", async (_how, headers) => {
    expect(await replyText(await world.say("own", "hello", headers))).toBe("You said: hello")
    expect((await world.send("/run/api/conversations/own", { headers })).status).toBe(200)
    const alice = await world.session("alice")
    expect((await world.send("/run/api/conversations/own", { headers: alice })).status).toBe(404)
  })

  it("is never asked: the model is told immediately", async () => {
    const headers = { "x-api-key": apiKey }
    for (const text of ["trip", "delete"]) {
      const chunks = await readStream(await world.say(text, text, headers)).rest()
      expect(chunks.map(({ type }) => type)).not.toContain("data-elicitation")
      expect(textOf(chunks)).toContain("I heard")
    }
    expect(world.done).toEqual([])
  })
})

describe("a page's preflight", () => {
  const ask = (origin: string, names: string) =>
    world.send("/run/api/chat", {
      ...{ method: "OPTIONS" },
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": names },
    })

  it("allows the headers of this API, and neither cookies nor API keys", async () => {
    const names =
      "authorization,content-type,last-event-id,x-supports-elicitation,x-holdpoint-envelope,x-api-key,cookie"
    const { status, headers } = await ask(chatOrigin, names)
    expect(status).toBe(204)
    expect(headers.get("access-control-allow-origin")).toBe(chatOrigin)
    expect(headers.get("access-control-allow-headers")).toBe(
      "authorization, content-type, last-event-id, x-supports-elicitation, x-holdpoint-envelope",
    )
    expect(headers.get("access-control-allow-credentials")).toBeNull()
  })

  it("is not needed by pages of this server, whose responses allow no other origin", async () => {
    const headers = await world.session("alice")
    const response = await world.send("/run/api/elicitations", { headers })
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, null])
  })

  it("lets pages of listed origins read the server's clock, by which questions expire", async () => {
    const { headers } = await ask(chatOrigin, "authorization")
    expect(headers.get("access-control-expose-headers")?.split(", ")).toContain("date")
  })

  it("is refused for pages of other origins", async () => {
    const refused = await ask("https://evil.example", Object.keys(showing).join())
    expect(refused.headers.get("access-control-allow-origin")).toBeNull()
    expect(await codeOf(refused)).toEqual([403, "wrong_origin"])
  })
})
