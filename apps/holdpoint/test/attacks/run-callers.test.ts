// Attacks on the run API: pages of other sites, tokens for other audiences, guessed or revoked keys, and people who
// request other people's conversations.

import { request } from "node:http"
import { type HoldpointError, type Principal, systemRuntime } from "@holdpoint/hub"
import { createTokens, type Tokens } from "@holdpoint/hub/sealing"
import {
  publicUrl,
  question,
  readStream,
  type StreamReader,
  startAgents,
  textOf,
} from "@holdpoint/testkit/agents/agents-server"
import {
  apiKey,
  type CallersWorld,
  chatOrigin,
  codeOf,
  cookieOf,
  helper,
  openCallersWorld,
  sha256,
  without,
} from "@holdpoint/testkit/agents/callers-world"
import { cookieOf as ownCookie } from "@holdpoint/testkit/agents/own-browser"
import { readEvents } from "@holdpoint/testkit/agents/read-events"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { createPersonTokens } from "../../../../packages/agents/src/http/person-tokens.ts"
import { enterAs } from "./setup.ts"

let world: CallersWorld
beforeAll(async () => {
  world = await openCallersWorld()
})
afterAll(() => world.close())
afterEach(() => {
  world.clock.aheadMs = 0
})

type Headers = Readonly<Record<string, string>>

let counted = 0
/** Opens a conversation that waits for the answer to a question. */
async function openTrip(headers: Headers): Promise<{ id: string; elicitationId: string; stream: StreamReader }> {
  const id = `trip-${++counted}`
  const stream = readStream(await world.say(id, "trip", headers))
  const { elicitationId } = await question(stream)
  return { id, elicitationId, stream }
}

const answerTo = (conversationId: string, elicitationId: string) => ({
  ...{ conversationId, elicitationId, action: "accept", content: { where: "Rome" } },
})

const post = (path: string, body: unknown, headers: Headers) => world.send(path, { body, headers })
const colour = { type: "object", properties: { colour: { type: "string" } } } as const
const answers = "/run/api/elicitation-responses"

describe("a session", () => {
  it.each<[string, Headers]>([
    ["of another site", { "sec-fetch-site": "cross-site" }],
    ["of a sibling site", { "sec-fetch-site": "same-site" }],
    ["of another origin", { origin: "https://evil.example" }],
    ["without an origin", { origin: "null" }],
    ["of the same host with another port", { origin: "http://127.0.0.1:1" }],
  ])("is refused for a page %s", async (_what, page) => {
    const headers = { ...without(await world.session("alice"), "origin"), ...page }
    expect(await codeOf(await world.say("c", "hello", headers))).toEqual([403, "wrong_origin"])
    expect(await codeOf(await world.send("/run/api/elicitations", { headers }))).toEqual([403, "wrong_origin"])
  })

  it.each<[string, Headers]>([
    ["a page of a listed origin", { origin: chatOrigin }],
    ["a page of a listed origin that claims same-origin", { origin: chatOrigin, "sec-fetch-site": "same-origin" }],
    ["a request without headers of a page", {}],
    ["a typed address", { "sec-fetch-site": "none" }],
  ])("does not count for %s", async (_what, page) => {
    const headers = { ...without(await world.session("alice"), "origin"), ...page }
    expect(await codeOf(await world.send("/run/api/elicitations", { headers }))).toEqual([401, "not_signed_in"])
  })
})

describe("a request under another host name", () => {
  it("is refused, so that a page cannot reach this machine by rebinding its name", async () => {
    const { port } = new URL(world.server.publicUrl)
    const status = await new Promise((resolve, reject) => {
      const headers = { host: `evil.example:${port}`, "x-api-key": apiKey }
      const sent = request({ host: "127.0.0.1", port, path: "/run/api/elicitations", headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on("error", reject).end()
    })
    expect(status).toBe(403)
  })
})

describe("local mode", () => {
  it("does not take a page of a listed origin for the person at this machine", async () => {
    const server = await startAgents({ ...helper([]), origins: [chatOrigin] })
    const key = "keyOf" in server.identity ? server.identity.keyOf("a browser") : ""
    const cookie = await ownCookie(`${publicUrl}/inbox?key=${key}`, (request) =>
      server.fetch(new Request(request, { headers: { "sec-fetch-site": "none" } })),
    )
    expect((await server.get("/run/api/elicitations", { origin: publicUrl, cookie })).status).toBe(200)
    const refused = await server.get("/run/api/elicitations", { origin: chatOrigin, cookie })
    expect(await codeOf(refused)).toEqual([401, "not_the_person"])
    const elsewhere = await server.get("/run/api/elicitations", { "sec-fetch-site": "cross-site" })
    expect(await codeOf(elsewhere)).toEqual([403, "wrong_origin"])
  })
})

describe("a token", () => {
  it("for another resource is refused", async () => {
    const headers = await world.bearer("alice", "/mcp")
    expect(await codeOf(await world.say("c", "hello", headers))).toEqual([401, "invalid_token"])
  })

  it.each(["hprun_", "hprun_x~y", "x.y.z", "", "two words"])(
    "with the made-up value “%s” is refused",
    async (token) => {
      const response = await world.say("c", "hello", { authorization: `Bearer ${token}` })
      expect([400, 401]).toContain(response.status)
    },
  )
})

describe("a program's token for a person", () => {
  it("is refused when it was sealed for another purpose", async () => {
    const tokens = createTokens(world.keys)
    const mintFor = (purpose?: string): Headers => {
      const seal: Tokens["seal"] = (own, text) => tokens.seal(purpose ?? own, text)
      const minted = createPersonTokens({ ...tokens, seal }, systemRuntime, [world.shop])
      return { authorization: `Bearer ${minted.mint({ key: world.shop, subject: "alice", seconds: 60 }).token}` }
    }
    expect((await world.say("purpose", "hello", mintFor())).status).toBe(200)
    expect(await codeOf(await world.say("purpose", "hello", mintFor("completion")))).toEqual([401, "invalid_token"])
  })

  it("is refused when it was altered", async () => {
    const { authorization = "" } = await world.minted("alice")
    const other = authorization.at(-4) === "A" ? "B" : "A"
    for (const altered of [`${authorization.slice(0, -4)}${other}${authorization.slice(-3)}`, `${authorization}A`])
      expect(await codeOf(await world.say("c", "hello", { authorization: altered }))).toEqual([401, "invalid_token"])
  })

  it("ends when it expires, and never lasts longer than a quarter of an hour", async () => {
    const [short, long] = [await world.minted("alice", { seconds: 30 }), await world.minted("alice", { seconds: 900 })]
    world.clock.aheadMs = 31_000
    expect(await codeOf(await world.say("c", "hello", short))).toEqual([401, "invalid_token"])
    expect((await world.send("/run/api/elicitations", { headers: long })).status).toBe(200)
    world.clock.aheadMs = 901_000
    expect(await codeOf(await world.say("c", "hello", long))).toEqual([401, "invalid_token"])
  })

  it("opens neither the MCP server nor the inbox, and creates no further token", async () => {
    const { authorization = "" } = await world.minted("alice")
    const mcp = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { authorization })
    expect(mcp.status).toBe(401)
    const inbox = await fetch(`${world.server.publicUrl}/inbox`, { headers: { authorization }, redirect: "manual" })
    expect(inbox.status).not.toBe(200)
    expect(await codeOf(await world.mint({ subject: "bob" }, { authorization }))).toEqual([403, "not_allowed"])
  })

  it("for one conversation is refused in every other conversation", async () => {
    const [whole, narrowed] = [
      await world.minted("nora"),
      await world.minted("nora", { conversationId: "trip-of-nora" }),
    ]
    const { id, elicitationId } = await openTrip(whole)
    const wrong = [403, "wrong_conversation"]
    expect(await codeOf(await world.say(id, "hello", narrowed))).toEqual(wrong)
    expect(await codeOf(await post(answers, answerTo(id, elicitationId), narrowed))).toEqual(wrong)
    expect(await codeOf(await post(`/run/api/chat/${id}/stop`, {}, narrowed))).toEqual(wrong)
    for (const path of [`/run/api/conversations/${id}`, `/run/api/conversations/${id}/stream`])
      expect(await codeOf(await world.send(path, { headers: narrowed }))).toEqual(wrong)
    expect((await world.send(`/run/api/chat/${id}/stream`, { headers: narrowed })).status).toBe(403)
    expect(await openOf(narrowed)).toEqual([])
    expect(await openOf(whole)).toEqual([elicitationId])
    expect((await world.say("trip-of-nora", "hello", narrowed)).status).toBe(200)
  })

  it("does not show what other programs ask the person", async () => {
    const other = await world.server.hub.ask({
      ...{ message: "Which colour?", audience: world.person("olga"), form: colour },
      ...{ requester: { id: "painter", name: "Painter" }, context: { trigger: "tool_input_required" } },
    })
    expect(await openOf(await world.minted("olga"))).toEqual([])
    expect(await openOf(await world.session("olga"))).toEqual([other.id])
  })

  it("and an access token with the scope agents.run show only what the person's own conversations ask", async () => {
    const salary = await world.server.hub.ask({
      ...{ message: "Raise the salary of Carol to 91,000?", audience: world.person("salma"), form: colour },
      ...{ requester: { id: "payroll", name: "Payroll" }, context: { trigger: "tool_input_required" } },
    })
    const bearer = await world.bearer("salma")
    const events = readEvents(await world.send("/run/api/events?conversation=c1", { headers: bearer }))
    expect((await events.until(({ event }) => event === "inbox")).data).toEqual({ open: 0 })
    const stream = readStream(await world.say("c1", "trip", bearer))
    const asked = await question(stream)
    expect(await openOf(bearer)).toEqual([asked.elicitationId])
    expect((await events.until(({ event }) => event === "inbox")).data).toMatchObject({ open: 1 })
    expect(JSON.stringify(events.seen)).not.toContain(salary.id)
    expect(await openOf(await world.session("salma"))).toHaveLength(2)
    await Promise.all([stream.leave(), events.leave()])
  })

  it("is refused when its API key is removed or replaced, or acts for other people", async () => {
    const people = { issuer: "https://people.example", tenant: "acme" }
    const entry = { id: "shop", sha256: sha256(apiKey), actsFor: people }
    const first = await startAgents({ ...helper([]), apiKeys: [entry] })
    const minted = await first.post("/run/api/tokens", { subject: "alice" }, { "x-api-key": apiKey })
    const { token } = (await minted.json()) as { readonly token: string }
    const headers = { authorization: `Bearer ${token}` }
    const { keys } = first
    const statusWith = async (apiKeys: readonly (typeof entry)[]) =>
      (
        await (
          await startAgents({ ...helper([]), apiKeys }, { keys: keys as never })
        ).get("/run/api/elicitations", headers)
      ).status
    expect(await statusWith([entry])).toBe(200)
    expect(await statusWith([])).toBe(401)
    expect(await statusWith([{ ...entry, sha256: sha256("another key") }])).toBe(401)
    expect(await statusWith([{ ...entry, actsFor: { ...people, tenant: "other" } }])).toBe(401)
  })

  const openOf = async (headers: Headers): Promise<readonly string[]> => {
    const response = await world.send("/run/api/elicitations", { headers })
    const { elicitations } = (await response.json()) as { elicitations: readonly { elicitationId: string }[] }
    return elicitations.map(({ elicitationId }) => elicitationId)
  }
})

describe("an API key", () => {
  it.each<[string, Headers]>([
    ["that is not configured", { "x-api-key": "guessed" }],
    ["that is the digest of the right one", { "x-api-key": sha256(apiKey) }],
    ["that is the beginning of the right one", { "x-api-key": apiKey.slice(0, -1) }],
    ["that is empty", { "x-api-key": "" }],
  ])("%s is refused, even beside a person's session", async (_what, key) => {
    const headers = { ...(await world.session("alice")), ...key }
    expect(await codeOf(await world.say("c", "hello", headers))).toEqual([401, "unknown_key"])
  })

  verifies("run.no-person", "answers no question, neither in its own conversation nor in a person's", async () => {
    const { id, elicitationId } = await openTrip(await world.session("alice"))
    const key = { "x-api-key": apiKey }
    await readStream(await world.say(id, "hello", key)).rest()
    expect(await codeOf(await post(answers, answerTo(id, elicitationId), key))).toEqual([403, "no_person"])
    expect((await world.server.hub.get(elicitationId))?.status).toBe("pending")
  })

  it("that acts for no people gets no tokens", async () => {
    const apiKeys = [{ id: "cron", sha256: sha256(apiKey) }]
    const server = await startAgents({ ...helper([]), apiKeys })
    const refused = await server.post("/run/api/tokens", { subject: "alice" }, { "x-api-key": apiKey })
    expect(await codeOf(refused)).toEqual([403, "not_allowed"])
  })

  it("that is empty, malformed or acts for programs stops the start, and so does an invalid origin", async () => {
    const problemsOf = (apiKeys: readonly object[], origins: readonly string[] = []) =>
      startAgents({ ...helper([]), apiKeys: apiKeys as never, origins }).then(
        () => "none",
        (error: HoldpointError) => error.problems?.map(({ message }) => message).join(),
      )
    expect(await problemsOf([{ id: "a", sha256: sha256("") }])).toContain("empty key")
    const programs = { issuer: "holdpoint:program", tenant: "local" }
    expect(await problemsOf([{ id: "a", sha256: sha256("x"), actsFor: programs }])).toContain("not people")
    expect(await problemsOf([{ id: "a", sha256: "abc" }])).toContain("SHA-256")
    for (const origin of ["*", "null", "https://app.example/", "app.example"])
      expect(await problemsOf([], [origin])).toContain("must be an origin")
  })
})

describe("another person", () => {
  verifies(
    "run.own-conversation",
    "neither reads, resumes, stops, repeats nor answers a conversation by its id",
    async () => {
      const alice = await world.session("alice")
      const { id, elicitationId, stream } = await openTrip(alice)
      const bob = await world.session("bob")
      const missing = [404, "not_found"]
      for (const path of [`/run/api/conversations/${id}`, `/run/api/conversations/${id}/stream`])
        expect(await codeOf(await world.send(path, { headers: bob }))).toEqual(missing)
      expect((await world.send(`/run/api/chat/${id}/stream`, { headers: bob })).status).toBe(204)
      expect(await codeOf(await post(`/run/api/chat/${id}/stop`, {}, bob))).toEqual(missing)
      expect(await codeOf(await post("/run/api/chat", { id, trigger: "regenerate-message" }, bob))).toEqual(missing)
      expect(await codeOf(await post(answers, answerTo(id, elicitationId), bob))).toEqual(missing)
      const messages = [{ role: "user", content: "ignored" }]
      const continued = { model: "helper", messages, holdpoint: { conversationId: id, continue: "1.1" } }
      expect((await post("/run/v1/chat/completions", continued, bob)).status).toBe(404)
      expect(await codeOf(await post("/run/api/chat", { id, continue: "1.1" }, bob))).toEqual(missing)
      expect(await codeOf(await post("/run/api/chat", { id, message: inPart(elicitationId) }, bob))).toEqual(missing)
      expect((await world.server.hub.get(elicitationId))?.status).toBe("pending")
      // For bob, the same id is a separate conversation.
      expect(textOf(await readStream(await world.say(id, "hello", bob)).rest())).toBe("You said: hello")
      expect((await post(answers, answerTo(id, elicitationId), alice)).status).toBe(200)
      expect(textOf(await stream.rest())).toContain("to Rome")
    },
  )

  it("cannot answer from a conversation of their own by the id of the question", async () => {
    const { elicitationId } = await openTrip(await world.session("alice"))
    const bob = await world.session("bob")
    const own = await openTrip(bob)
    expect(await codeOf(await post(answers, answerTo(own.id, elicitationId), bob))).toEqual([404, "not_found"])
    expect((await world.server.hub.get(elicitationId))?.status).toBe("pending")
  })

  it("learns nothing from the id of a run", async () => {
    const { elicitationId } = await openTrip(await world.session("alice"))
    const { parent = "" } = (await world.server.hub.get(elicitationId)) ?? {}
    const run = parent.slice(parent.indexOf(":") + 1)
    expect(run).toMatch(/\.000001$/)
    const headers = await world.session("bob")
    for (const id of [run, run.slice(0, -7), parent])
      expect((await world.send(`/run/api/conversations/${encodeURIComponent(id)}`, { headers })).status).not.toBe(200)
  })

  it("cannot answer the question of a conversation, even as an administrator", async () => {
    const { id, elicitationId } = await openTrip(await world.session("alice"))
    const admin: Principal = { ...world.person("root"), roles: ["admin"] }
    const { publicUrl } = world.server
    const headers = { ...cookieOf(await enterAs(world, admin), publicUrl), origin: publicUrl }
    expect((await world.send("/run/api/elicitations", { headers })).status).toBe(200)
    await readStream(await world.say(id, "hello", headers)).rest()
    expect(await codeOf(await post(answers, answerTo(id, elicitationId), headers))).toEqual([404, "not_found"])
    expect((await world.server.hub.get(elicitationId))?.status).toBe("pending")
  })

  it("with a role cannot see or answer the question to that role through the run API", async () => {
    const asked = await world.server.hub.ask({
      ...{ message: "Approve?", audience: { kind: "role", tenant: "acme", role: "approver" }, form: colour },
      ...{ requester: { id: "robot", name: "Robot" }, context: { trigger: "tool_input_required" } },
    })
    const approver: Principal = { ...world.person("petra"), roles: ["approver"] }
    const { publicUrl } = world.server
    const headers = { ...cookieOf(await enterAs(world, approver), publicUrl), origin: publicUrl }
    expect(await (await world.send("/run/api/elicitations", { headers })).json()).toEqual({ elicitations: [] })
    await readStream(await world.say("own", "hello", headers)).rest()
    expect(await codeOf(await post(answers, answerTo("own", asked.id), headers))).toEqual([404, "not_found"])
    expect((await world.server.hub.get(asked.id))?.status).toBe("pending")
    expect(await (await world.send(`/inbox/${asked.id}`, { headers })).text()).toContain("Approve?")
  })
})

describe("the person's own answer", () => {
  verifies("run.wrong-conversation", "with the id of another conversation is refused and changes nothing", async () => {
    const alice = await world.session("alice")
    const [first, second] = [await openTrip(alice), await openTrip(alice)]
    for (const id of [second.id, "never-begun"])
      expect(await codeOf(await post(answers, answerTo(id, first.elicitationId), alice))).toEqual([404, "not_found"])
    for (const { elicitationId } of [first, second])
      expect((await world.server.hub.get(elicitationId))?.status).toBe("pending")
  })
})

const inPart = (elicitationId: string) => ({
  role: "user",
  parts: [{ type: "data-elicitation-response", data: { elicitationId, action: "accept", content: { where: "Rome" } } }],
})

describe("a body", () => {
  it.each([
    ["that is not JSON", "hello", 400, "invalid_body"],
    ["that is a list", "[]", 400, "invalid_body"],
    ["without a conversation", "{}", 400, "invalid_conversation"],
    ["that is too large", JSON.stringify({ id: "c", more: "x".repeat(8 * 1_048_576) }), 413, "too_large"],
  ])("%s is refused", async (_what, body, status, code) => {
    const headers = await world.session("alice")
    expect(await codeOf(await post("/run/api/chat", body, headers))).toEqual([status, code])
  })

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "https://evil.example/a.png",
    "file:///etc/passwd",
    "//evil.example",
  ])("that names the file %s is refused, and nothing is fetched", async (url) => {
    const headers = await world.session("alice")
    const file = { type: "file", mediaType: "image/png", url }
    const body = { id: "files", message: { role: "user", parts: [file] } }
    expect(await codeOf(await post("/run/api/chat", body, headers))).toEqual([422, "foreign_file"])
  })

  it("that contains its file is accepted", async () => {
    const headers = await world.session("alice")
    const parts = [
      { type: "text", text: "hello" },
      { type: "file", mediaType: "text/plain", url: "data:text/plain;base64,aGk=" },
    ]
    const response = await post("/run/api/chat", { id: "data-file", message: { role: "user", parts } }, headers)
    expect(textOf(await readStream(response).rest())).toContain("You said: hello")
  })
})
