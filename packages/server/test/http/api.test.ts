// A program asks over HTTP: keys, idempotency, waiting, events, cancelling, and what it may not.

import { type ApiWorld, openApiWorld } from "@holdpoint/testkit/server/http/api-world"
import { describe, expect, it } from "vitest"
import { introducePerson } from "../../src/identity/people.ts"

const yesNo = { message: "Deploy to production?", confirm: { yes: "Deploy", no: "Not now" } }
const form = { type: "object", properties: { where: { type: "string", title: "Where" } }, required: ["where"] }

const ask = async (world: ApiWorld, more: object = {}) =>
  (await world.call("/api/questions", { body: { ...yesNo, audience: world.audience, ...more } })).body

const say = (world: ApiWorld, id: string, content: unknown = { confirmed: "yes" }) =>
  world.hub.answer(id, { by: world.me, action: "accept", content, via: "web" })

describe("a program with a key", () => {
  it("asks, waits without polling, and gets the answer and the person who gave it", async () => {
    const world = await openApiWorld()
    const { status, headers, body } = await world.call("/api/questions", {
      body: { ...yesNo, audience: world.audience, lifetimeMs: 60_000 },
    })
    expect(status).toBe(201)
    expect(headers.get("location")).toBe(`/api/questions/${body.id}`)
    expect(body).toMatchObject({ status: "pending", mode: "form", message: yesNo.message, audience: world.audience })
    expect(body.page).toContain(`/inbox/${body.id}`)
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(60_000)
    const waiting = world.get(`/api/questions/${body.id}?wait=30`)
    await world.runtime.advance(10_000)
    await say(world, body.id)
    const answered = await waiting
    expect(answered.status).toBe(200)
    expect(answered.body).toMatchObject({
      ...{ status: "completed", content: { confirmed: "yes" }, said: "yes", answeredVia: "web" },
      answeredBy: world.audience,
    })
    expect((await world.get(`/api/questions/${body.id}`)).body).toEqual(answered.body)
    expect(world.problems).toEqual([])
  })

  it("is told when the wait ends that the question is still open, and may wait again", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const waiting = world.get(`/api/questions/${id}?wait=30`)
    await world.runtime.advance(30_000)
    expect((await waiting).body.status).toBe("pending")
    const again = world.get(`/api/questions/${id}?wait=120`)
    await world.runtime.advance(1_000)
    await world.hub.answer(id, { by: world.me, action: "decline", reason: { code: "said", message: "Not today." } })
    expect((await again).body).toMatchObject({ status: "declined", reason: { message: "Not today." } })
  })

  it("ends its wait when it disconnects, and its question stays open", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const gone = new AbortController()
    const waiting = world.get(`/api/questions/${id}?wait=60`, { signal: gone.signal })
    await world.runtime.advance(1_000)
    gone.abort()
    await waiting
    expect((await world.hub.get(id))?.status).toBe("pending")
    await say(world, id)
    expect((await world.get(`/api/questions/${id}`)).body.status).toBe("completed")
  })

  it("asks once however often it sends the same question with the same key", async () => {
    const world = await openApiWorld()
    const body = { ...yesNo, audience: world.audience }
    const send = (headers: Readonly<Record<string, string>>) => world.call("/api/questions", { body, headers })
    const all = await Promise.all([1, 2, 3].map(() => send({ "idempotency-key": "release 7" })))
    const quoted = await send({ "idempotency-key": '"release 7"' })
    const inBody = await world.call("/api/questions", { body: { ...body, key: "release 7" } })
    expect(new Set([...all, quoted, inBody].map((one) => one.body.id)).size).toBe(1)
    expect(all.map((one) => one.status).sort()).toEqual([200, 200, 201])
    expect([quoted.status, inBody.status]).toEqual([200, 200])
    const other = await world.call("/api/questions", {
      ...{ body: { ...body, message: "Delete everything?" }, headers: { "idempotency-key": "release 7" } },
    })
    expect([other.status, other.body.code]).toEqual([409, "key_conflict"])
    const both = await world.call("/api/questions", {
      body: { ...body, key: "a" },
      headers: { "idempotency-key": "b" },
    })
    expect([both.status, both.body.problems[0].path]).toEqual([422, "key"])
  })

  it("gets all problems of a question together, each with its path", async () => {
    const world = await openApiWorld()
    const { status, headers, body } = await world.call("/api/questions", {
      body: {
        message: "",
        form: { type: "object", properties: {} },
        lifetimeMs: 1,
        audience: { name: "alice" },
        titel: 1,
      },
    })
    expect(status).toBe(422)
    expect(headers.get("content-type")).toBe("application/problem+json")
    expect(body).toMatchObject({
      type: "about:blank",
      title: "Unprocessable Content",
      status: 422,
      code: "invalid_question",
    })
    expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...["audience", "lifetimeMs", "message", "titel"],
    ])
    const secret = { type: "object", properties: { password: { type: "string" } } }
    const refused = await world.call("/api/questions", {
      body: { message: "Sign in", form: secret, audience: world.audience },
    })
    expect([refused.status, refused.body.code]).toEqual([422, "secret_in_form"])
    expect(await world.hub.list({ tenant: "acme", state: "all", limit: 10 })).toEqual([])
  })

  it.each([
    [{ confirm: "yes" }, "confirm"],
    [{ confirm: true, form }, ""],
    [{ form: "schema" }, "form"],
    [{ url: 7 }, "url"],
    [{ form, audience: { people: [{ issuer: "a", subject: "b" }, "c"] } }, "audience.people.1"],
    [{ form, audience: { issuer: "a", subject: "b", tenant: "other" } }, "audience"],
    [{}, ""],
  ])("cannot ask %j", async (wrong, path) => {
    const world = await openApiWorld()
    const body = { message: "Go on?", audience: world.audience, ...wrong }
    const { status, body: problem } = await world.call("/api/questions", { body })
    expect(status).toBe(422)
    expect(problem.problems.map((one: { path: string }) => one.path)).toEqual([path])
  })

  it("sends a person to a page, and completes the question when that is done there", async () => {
    const world = await openApiWorld()
    const { id, url, page } = await ask(world, { confirm: undefined, url: "https://pay.example/i/1" })
    expect([url, page]).toEqual(["https://pay.example/i/1", `http://127.0.0.1:4650/visit/${id}`])
    const early = await world.call(`/api/questions/${id}/complete`)
    expect([early.status, early.body.code]).toEqual([409, "not_accepted"])
    await world.hub.answer(id, { by: world.me, action: "accept" })
    const done = await world.call(`/api/questions/${id}/complete`, { body: { status: "completed" } })
    expect([done.status, done.body.status]).toEqual([200, "completed"])
    expect((await world.call(`/api/questions/${id}/complete`)).status).toBe(200)
    const failing = await ask(world, { confirm: undefined, url: "https://pay.example/i/2" })
    await world.hub.answer(failing.id, { by: world.me, action: "accept" })
    const failed = await world.call(`/api/questions/${failing.id}/complete`, {
      body: { status: "failed", reason: "The card was refused." },
    })
    expect(failed.body).toMatchObject({ status: "failed", reason: { message: "The card was refused." } })
    const late = await world.call(`/api/questions/${failing.id}/cancel`)
    expect([late.status, late.body.ended.status]).toEqual([409, "failed"])
  })

  it("cancels its question with a reason", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const { status, body } = await world.call(`/api/questions/${id}/cancel`, { body: { reason: "Deployed by hand." } })
    expect([status, body.status, body.reason]).toEqual([
      ...[200, "cancelled"],
      { code: "asker_cancelled", message: "Deployed by hand." },
    ])
    expect((await world.call(`/api/questions/${id}/cancel`, { body: { why: "x" } })).body.problems[0].path).toBe("why")
  })

  it("asks a role, and several people", async () => {
    const world = await openApiWorld()
    const role = await ask(world, { audience: { role: "manager" } })
    expect(role.audience).toEqual({ role: "manager" })
    const people = [world.audience, { issuer: "https://id.example", subject: "bob" }]
    expect((await ask(world, { audience: { people } })).audience).toEqual({ people })
  })

  it("may name signed-in people by their verified e-mail address, and finds no others", async () => {
    const world = await openApiWorld()
    const principal = { tenant: "acme", issuer: "https://id.example", subject: "bob" }
    await introducePerson(world, { principal, email: "Bob@example.com" })
    await introducePerson(world, { principal: { ...principal, tenant: "evil" }, email: "eve@example.com" })
    const bob = { issuer: principal.issuer, subject: "bob" }
    expect((await ask(world, { audience: { email: "bob@example.com" } })).audience).toEqual(bob)
    const people = [world.audience, { email: "bob@example.com" }]
    expect((await ask(world, { audience: { people } })).audience).toEqual({ people: [world.audience, bob] })
    const unknown = await ask(world, { audience: { email: "eve@example.com" } })
    expect([unknown.code, unknown.problems[0].path]).toEqual(["invalid_question", "audience.email"])
    const narrow = await world.addProgram("narrow", { to: { people: [world.me], roles: [] }, modes: ["form"] })
    const probe = async (email: string) =>
      (await world.call("/api/questions", { key: narrow.key, body: { ...yesNo, audience: { email } } })).body
    expect(await probe("bob@example.com")).toEqual(await probe("nemo@example.com"))
  })

  it("is told when the answer is not kept any more", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    await say(world, id)
    await world.get(`/api/questions/${id}`)
    await world.runtime.advance(120_000)
    const gone = await world.get(`/api/questions/${id}`)
    expect([gone.status, gone.body.code]).toEqual([410, "content_gone"])
  })

  it("waits whole seconds up to the maximum", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    for (const wait of ["121", "-1", "1.5", "long", "1e9"]) {
      const { status, body } = await world.get(`/api/questions/${id}?wait=${wait}`)
      expect([wait, status, body.code]).toEqual([wait, 400, "invalid_request"])
    }
  })
})

describe("the events of a question", () => {
  it("start at the beginning or after the client's last event, and end with the question", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world, { confirm: undefined, url: "https://pay.example/i/1" })
    const stream = await world.send(`/api/questions/${id}/events`, { method: "GET" })
    expect(stream.headers.get("content-type")).toBe("text/event-stream")
    await world.hub.answer(id, { by: world.me, action: "accept" })
    await world.hub.complete(id)
    const text = await stream.text()
    expect([...text.matchAll(/^id: (\d+)\ndata: (.*)$/gm)].map(([, at, data = ""]) => [at, JSON.parse(data)])).toEqual([
      ["1", { kind: "asked", status: "pending", at: "2026-01-01T00:00:00.000Z" }],
      ["2", { kind: "accepted", status: "accepted", at: "2026-01-01T00:00:00.000Z" }],
      ["3", { kind: "completed", status: "completed", at: "2026-01-01T00:00:00.000Z" }],
    ])
    const rest = await world.send(`/api/questions/${id}/events`, { method: "GET", headers: { "last-event-id": "2" } })
    expect(await rest.text()).toMatch(/^id: 3\n/)
    const none = await world.send(`/api/questions/${id}/events`, { method: "GET", headers: { "last-event-id": "3" } })
    expect(none.status).toBe(204)
    const wrong = await world.get(`/api/questions/${id}/events`, { headers: { "last-event-id": "x" } })
    expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_request"])
  })

  it("are kept alive by a comment every 15 seconds, of which one is queued for a program that does not read", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const stream = await world.send(`/api/questions/${id}/events`, { method: "GET" })
    const body = stream.body as ReadableStream<Uint8Array>
    const reader = body.getReader()
    await reader.read()
    reader.releaseLock()
    for (let beats = 0; beats < 10; beats++) await world.runtime.advance(15_000)
    await world.hub.cancel(id)
    let rest = ""
    for await (const chunk of body) rest += Buffer.from(chunk).toString()
    expect(rest.match(/^: keepalive$/gm)).toHaveLength(1)
    expect(rest).toContain("cancelled")
  })
})

describe("a program", () => {
  it("sees and changes only its own questions", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const { key } = await world.addProgram("other")
    const foreign = await world.addProgram("elsewhere", undefined, "evil")
    for (const other of [key, foreign.key]) {
      const answers = await Promise.all([
        ...["", "?wait=30", "/events"].map((end) => world.get(`/api/questions/${id}${end}`, { key: other })),
        ...["cancel", "complete"].map((verb) => world.call(`/api/questions/${id}/${verb}`, { key: other })),
      ])
      const unknown = await world.get("/api/questions/7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f", { key: other })
      expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [404, unknown.body]))
    }
    expect((await world.hub.get(id))?.status).toBe("pending")
  })

  it("asks only the people and roles that its key allows, and only in the allowed way", async () => {
    const world = await openApiWorld()
    const may = { to: { people: [world.me], roles: ["manager"] }, modes: ["form"] } as const
    const { key } = await world.addProgram("narrow", may)
    const asked = async (more: object) => {
      const { status, body } = await world.call("/api/questions", { key, body: { ...yesNo, ...more } })
      return status === 201 ? 201 : [status, body.code, ...body.problems.map(({ path }: { path: string }) => path)]
    }
    const bob = { issuer: world.me.issuer, subject: "bob" }
    expect(await asked({ audience: world.audience })).toBe(201)
    expect(await asked({ audience: { role: "manager" } })).toBe(201)
    expect(await asked({ audience: { people: [world.audience] } })).toBe(201)
    expect(await asked({ audience: bob })).toEqual([403, "not_allowed", "audience"])
    expect(await asked({ audience: { people: [world.audience, bob] } })).toEqual([403, "not_allowed", "audience"])
    expect(await asked({ audience: { role: "admin" } })).toEqual([403, "not_allowed", "audience"])
    const link = { confirm: undefined, url: "https://pay.example/", audience: bob }
    expect(await asked(link)).toEqual([403, "not_allowed", "url", "audience"])
  })

  it("is refused without its key, with another text, and after its removal", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const wrong = [world.key.slice(0, -1), `${world.key.slice(0, -1)}~`, "hp_", world.key.toUpperCase()]
    for (const key of ["", ...wrong]) {
      const { status, headers, body } = await world.get(`/api/questions/${id}`, { key })
      expect([status, body.code, headers.get("www-authenticate")]).toEqual([401, "caller_unknown", "Bearer"])
      expect(JSON.stringify(body)).not.toContain(world.key.slice(4, 20))
    }
    const inAddress = await world.get(`/api/questions/${id}?access_token=${world.key}`, { key: "" })
    expect(inAddress.status).toBe(401)
    const waiting = world.get(`/api/questions/${id}?wait=30`)
    await world.runtime.advance(1_000)
    expect(await world.programs.remove(world.program)).toBe(true)
    await say(world, id)
    expect((await waiting).status).toBe(401)
    expect((await world.get(`/api/questions/${id}`)).status).toBe(401)
  })

  it("is accepted with the right key even after many wrong ones, which are rate-limited", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const key = `${world.key.slice(0, -3)}xyz`
    const statuses: number[] = []
    for (let tried = 0; tried < 61; tried++) statuses.push((await world.get(`/api/questions/${id}`, { key })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    expect((await world.get(`/api/questions/${id}`)).status).toBe(200)
    await world.runtime.advance(60_000)
    expect((await world.get(`/api/questions/${id}`, { key })).status).toBe(401)
  })

  it("gets 400 or 413 for a body that cannot be read", async () => {
    const world = await openApiWorld()
    for (const [body, status] of [
      ["[]", 400],
      ["{", 400],
      [`"${"x".repeat(300_000)}"`, 413],
    ] as const)
      for (const headers of [{}, { "content-length": String(Buffer.byteLength(body)) }])
        expect((await world.call("/api/questions", { body, headers })).status).toBe(status)
    const missing = await world.get("/api/questions")
    expect([missing.status, missing.body.code]).toEqual([404, "not_found"])
  })

  it("gets the question in its current state when the server stops", async () => {
    const world = await openApiWorld()
    const { id } = await ask(world)
    const waiting = world.get(`/api/questions/${id}?wait=120`)
    const stream = await world.send(`/api/questions/${id}/events`, { method: "GET" })
    await world.runtime.advance(1_000)
    await world.holdpoint.close()
    const { status, body } = await waiting
    expect([status, body.status]).toEqual([200, "pending"])
    expect(await stream.text()).toContain("asked")
  })
})
