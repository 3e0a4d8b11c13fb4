// People's own answers to the HTTP API: by the session of their browser on a page of this origin, and by a token that was
// issued for it. Never by a program's key.

import type { Elicitation } from "@holdpoint/hub"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, codesOf, type Person } from "../attacks/setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const form = {
  type: "object",
  properties: { days: { type: "integer", title: "Days", maximum: 30 }, note: { type: "string" } },
  required: ["days"],
} as const

const ask = ({ subject }: Person): Promise<Elicitation> =>
  world.server.hub.ask({ message: "How long?", form, audience: world.person(subject), requester: { id: "planner" } })

async function answer({ browser }: Person, id: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const { publicUrl } = world.server
  const visited = await browser.ask(`${publicUrl}/api/questions/${id}/answer`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { origin: publicUrl, "content-type": "application/json", ...headers },
  })
  return { status: visited.status, headers: visited.headers, body: JSON.parse(visited.text) }
}

const yes = { action: "accept", content: { days: 3 } }

describe("a person's answer", () => {
  it("settles their question once; the same answer again succeeds, and a different one gets the outcome", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id } = await ask(alice)
    const waiting = world.server.hub.wait(id)
    expect(await answer(alice, id, yes)).toMatchObject({
      status: 200,
      body: { id, status: "completed", changed: true },
    })
    expect(await waiting).toEqual({ status: "completed", content: { days: 3 } })
    expect(await answer(alice, id, yes)).toMatchObject({ status: 200, body: { changed: false } })
    const other = await answer(alice, id, { action: "decline", reason: "Not now." })
    expect(other).toMatchObject({ status: 409, body: { code: "already_settled", ended: { status: "completed" } } })
    expect((await world.server.hub.get(id))?.answeredVia).toBe("http")
  })

  it("that does not fit is refused with every problem, and the question stays open", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id } = await ask(alice)
    const wrong = await answer(alice, id, { action: "accept", content: { days: 99, note: 7 } })
    expect([wrong.status, wrong.body.code]).toEqual([422, "invalid_answer"])
    expect(wrong.body.problems.map(({ path }: { path: string }) => path).sort()).toEqual(["days", "note"])
    for (const body of [{}, { action: "maybe" }, { action: "accept", contents: {} }, { action: "decline", reason: 7 }])
      expect((await answer(alice, id, body)).body.code).toBe("invalid_request")
    expect((await world.server.hub.get(id))?.status).toBe("pending")
    expect((await answer(alice, id, { action: "decline", reason: "Not now." })).body.status).toBe("declined")
    expect((await world.server.hub.get(id))?.reason).toEqual({ code: "person_declined", message: "Not now." })
  })

  it("counts only from the addressee: for others the question does not exist, and the attempt is recorded", async () => {
    const [alice, bob] = [await arrivePerson(world, "alice"), await arrivePerson(world, "bob")]
    const { id } = await ask(alice)
    const foreign = await answer(bob, id, yes)
    const unknown = await answer(bob, "7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f", yes)
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
    expect(await codesOf(world, id)).toEqual(["not_addressee"])
    expect((await world.server.hub.get(id))?.status).toBe("pending")
  })

  it("is refused from a page of another site, from a form, and without a session", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id } = await ask(alice)
    const { publicUrl } = world.server
    const forged: readonly Readonly<Record<string, string>>[] = [
      { origin: "https://evil.example" },
      { origin: "null", "sec-fetch-site": "same-origin" },
      { origin: publicUrl.replace("127.0.0.1", "localhost") },
    ]
    for (const headers of forged) expect((await answer(alice, id, yes, headers)).status).toBe(401)
    expect((await answer(alice, id, yes, { "content-type": "text/plain" })).status).toBe(400)
    const stranger = await fetch(`${publicUrl}/api/questions/${id}/answer`, {
      ...{ method: "POST", body: JSON.stringify(yes) },
      headers: { origin: publicUrl, "content-type": "application/json" },
    })
    expect(stranger.status).toBe(401)
    expect((await world.server.hub.get(id))?.status).toBe("pending")
  })

  it("cannot be given by a program, and tokens are refused where none are issued", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id } = await ask(alice)
    const key = `hp_${"0".repeat(16)}_${"a".repeat(43)}`
    const byKey = await answer(alice, id, yes, { authorization: `Bearer ${key}` })
    expect([byKey.status, byKey.body.code]).toEqual([403, "not_allowed"])
    const byToken = await answer(alice, id, yes, { authorization: "Bearer something-else" })
    expect([byToken.status, byToken.body.code]).toEqual([401, "caller_unknown"])
    expect((await world.server.hub.get(id))?.status).toBe("pending")
  })

  it("to a link only accepts it, and does not complete it", async () => {
    const alice = await arrivePerson(world, "alice")
    const draft = { message: "Pay", url: "https://pay.example/", requester: { id: "shop" } }
    const { id } = await world.server.hub.ask({ ...draft, audience: world.person(alice.subject) })
    expect((await answer(alice, id, { action: "accept" })).body.status).toBe("accepted")
    expect((await answer(alice, id, yes)).body.code).toBe("already_accepted")
  })
})
