// Approvals of several people over the HTTP API: who voted, who may not, and whom a program may escalate to.

import type { Principal } from "@holdpoint/hub"
import { type Document, faultsIn } from "@holdpoint/testkit/openapi"
import { type ApiWorld, openApiWorld } from "@holdpoint/testkit/server/http/api-world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import { introducePerson } from "../../src/identity/people.ts"

const minute = 60_000
const deploy = { message: "Deploy to production?", confirm: { yes: "Deploy", no: "Not now" }, lifetimeMs: 60 * minute }
const yes = { action: "accept", content: { confirmed: "yes" } } as const
const issuer = "https://id.example"
const person = (subject: string, roles: readonly string[] = ["release"]): Principal => ({
  ...{ tenant: "acme", issuer, subject, roles },
})
const [ann, ben, cem] = [person("ann"), person("ben"), person("cem")]

const ask = (world: ApiWorld, more: object = {}, key = world.key) =>
  world.call("/api/questions", {
    key,
    body: { ...deploy, audience: { role: "release" }, approvals: 2, ...more },
  })

describe("a program that needs several approvals", () => {
  verifies("votes.told-to-asker", "is told who approved, when and through what, vote by vote", async () => {
    const world = await openApiWorld()
    const { status, body } = await ask(world, { notBy: { issuer, subject: "dan" }, remindEveryMs: 5 * minute })
    expect(status).toBe(201)
    expect(body).toMatchObject({ approvals: 2, votes: [], notBy: { issuer, subject: "dan" }, remindEveryMs: 300_000 })
    await world.hub.answer(body.id, { ...yes, by: ann, via: "web" })
    const half = await world.get(`/api/questions/${body.id}`)
    const first = { by: { issuer, subject: "ann" }, said: "yes", at: "2026-01-01T00:00:00.000Z", via: "web" }
    expect(half.body).toMatchObject({ status: "pending", votes: [first] })
    const waiting = world.get(`/api/questions/${body.id}?wait=30`)
    await world.runtime.advance(1_000)
    await world.hub.answer(body.id, { ...yes, by: ben, via: "slack" })
    const second = { by: { issuer, subject: "ben" }, said: "yes", at: "2026-01-01T00:00:01.000Z", via: "slack" }
    const { body: ended } = await waiting
    expect(ended).toMatchObject({ status: "completed", said: "yes", votes: [first, second] })
    const document = (await world.get("/api/openapi.json", { key: "" })).body as Document
    const exchange = {
      method: "GET",
      path: `/api/questions/${body.id}`,
      sent: {},
      status: 200,
      type: "application/json",
    }
    expect(faultsIn(document, { ...exchange, text: JSON.stringify(ended) }, () => "QuestionEvent")).toEqual([])
    const events = await (await world.send(`/api/questions/${body.id}/events`, { method: "GET" })).text()
    expect([...events.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind)).toEqual(["asked", "voted", "completed"])
  })

  verifies("votes.told-to-asker", "is told who declined, and why", async () => {
    const world = await openApiWorld()
    const { body } = await ask(world)
    await world.hub.answer(body.id, { ...yes, by: ann })
    const reason = { code: "said", message: "Not on a Friday" }
    await world.hub.answer(body.id, { by: cem, action: "decline", via: "web", reason })
    const { body: ended } = await world.get(`/api/questions/${body.id}`)
    expect(ended).toMatchObject({ status: "declined", said: "no", reason })
    expect(ended.votes.at(-1)).toMatchObject({ by: { issuer, subject: "cem" }, said: "no", via: "web", reason })
  })

  verifies("votes.checked-when-asked", "gets all problems of the rules together, each with its path", async () => {
    const world = await openApiWorld()
    const shape = await ask(world, { notBy: "bob", escalate: { role: "managers" } })
    expect(shape.status).toBe(422)
    expect(shape.body.problems.map(({ path }: { path: string }) => path)).toEqual(["notBy", "escalate"])
    const values = await ask(world, { remindEveryMs: 5, escalate: { afterMs: "x", role: "" }, message: "" })
    expect(values.body.problems.map(({ path }: { path: string }) => path)).toEqual([
      ...["message", "remindEveryMs", "escalate.afterMs", "escalate.role"],
    ])
    const people = [ann, ben].map(({ subject }) => ({ issuer, subject }))
    const many = await ask(world, { audience: { people }, approvals: 3 })
    expect(many.body.detail).toContain("cannot be reached: only 2 people in the audience may answer")
    const { confirm: _, ...open } = deploy
    const form = { type: "object", properties: { where: { type: "string" } }, required: ["where"] }
    const other = await world.call("/api/questions", {
      body: { ...open, form, audience: { role: "release" }, approvals: 2 },
    })
    expect([other.status, other.body.problems[0].path]).toEqual([422, "approvals"])
    expect((await ask(world, { aprovals: 2 })).body.problems[0].suggestion).toContain("approvals")
  })

  verifies("votes.part-of-the-key", "cannot ask the same again with fewer approvals under the same key", async () => {
    const world = await openApiWorld()
    expect((await ask(world, { key: "release 7" })).status).toBe(201)
    expect((await ask(world, { key: "release 7" })).status).toBe(200)
    const fewer = await ask(world, { key: "release 7", approvals: 1 })
    expect([fewer.status, fewer.body.code]).toEqual([409, "key_conflict"])
  })

  verifies("votes.not-the-requester", "may name the person who may not answer by e-mail address", async () => {
    const world = await openApiWorld()
    const { storage, runtime } = world
    await introducePerson({ storage, runtime }, { principal: ann, email: "ann@example.com" })
    const asked = await ask(world, { notBy: { email: "Ann@example.com" } })
    expect(asked.body.notBy).toEqual({ issuer, subject: "ann" })
    const refused = await world.hub.answer(asked.body.id, { ...yes, by: ann })
    expect(refused).toMatchObject({ ok: false, refusal: { code: "own_request" } })
    const unknown = await ask(world, { notBy: { email: "eve@example.com" } })
    expect(unknown.body.problems.map(({ path }: { path: string }) => path)).toEqual(["notBy.email"])
  })

  verifies("votes.escalation-allowed", "escalates only to a role that its key allows", async () => {
    const world = await openApiWorld()
    const narrow = await world.addProgram("narrow", { to: { people: [], roles: ["release"] }, modes: ["form"] })
    const escalate = { afterMs: 10 * minute, role: "managers" }
    const refused = await ask(world, { escalate }, narrow.key)
    expect([refused.status, refused.body.code]).toEqual([403, "not_allowed"])
    expect(refused.body.problems).toEqual([{ path: "escalate.role", message: "is not one that this program may ask" }])
    const { body } = await ask(world, { escalate })
    expect(body).toMatchObject({ escalate })
    expect(body.escalatedTo).toBeUndefined()
    await world.runtime.advance(10 * minute)
    expect((await world.get(`/api/questions/${body.id}`)).body.escalatedTo).toBe("managers")
  })

  verifies(
    "votes.not-the-requester",
    "asks on behalf of a person, whose own answer over HTTP is then refused",
    async () => {
      const world = await openApiWorld()
      const { me, holdpoint } = world
      const audience = { people: [world.audience, { issuer, subject: "ben" }] }
      const { body } = await ask(world, { audience, approvals: 1, notBy: world.audience })
      const entered = await holdpoint.fetch(new Request(holdpoint.addresses.home("/inbox")))
      const cookie = entered.headers.getSetCookie().map((line) => line.split(";")[0])
      const headers = { cookie: cookie.join("; "), origin: new URL(holdpoint.addresses.publicUrl).origin }
      const answer = await world.call(`/api/questions/${body.id}/answer`, {
        ...{ key: "", headers: { ...headers, "content-type": "application/json" }, body: yes },
      })
      expect([answer.status, answer.body.code]).toEqual([403, "own_request"])
      expect((await world.hub.get(body.id))?.status).toBe("pending")
      expect(me.subject).toBe("alice")
    },
  )
})
