// People's own answers to the HTTP API by a real token of the built-in authorization server: accepted for the person whose
// token it is, and for no other person or resource.

import { type CallersWorld, openCallersWorld } from "@holdpoint/testkit/agents/callers-world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"

let world: CallersWorld
beforeAll(async () => {
  world = await openCallersWorld()
})
afterAll(() => world.close())

const ask = (subject: string) =>
  world.server.hub.ask({
    ...{ message: "Deploy?", requester: { id: "deployer" }, audience: world.person(subject) },
    form: { type: "object", properties: { days: { type: "integer" } }, required: ["days"] },
  })

const answer = async (id: string, headers: Readonly<Record<string, string>>) => {
  const body = { action: "accept", content: { days: 3 } }
  const response = await world.send(`/api/questions/${id}/answer`, { body, headers })
  return [response.status, ((await response.json()) as { readonly code?: string }).code]
}

describe("a token of a person for the HTTP API", () => {
  verifies("caller.answers-with-token", "answers their question, and is refused for another person's", async () => {
    const [alices, bobs] = [await ask("alice"), await ask("bob")]
    const token = await world.bearer("alice", "/api")
    expect(await answer(bobs.id, token)).toEqual([404, "not_found"])
    expect(await answer(alices.id, token)).toEqual([200, undefined])
    const settled = await world.server.hub.get(alices.id)
    expect(settled).toMatchObject({ status: "completed", answeredVia: "http", answeredBy: world.person("alice") })
    expect((await world.server.hub.get(bobs.id))?.status).toBe("pending")
  })

  verifies("caller.answers-with-token", "is refused when it is for another resource or was altered", async () => {
    const { id } = await ask("alice")
    expect(await answer(id, await world.bearer("alice", "/run"))).toEqual([401, "caller_unknown"])
    const token = await world.bearer("alice", "/api")
    expect(await answer(id, { authorization: `${token.authorization?.slice(0, -4)}AAAA` })).toEqual([
      ...[401, "caller_unknown"],
    ])
    expect((await world.server.hub.get(id))?.status).toBe("pending")
  })
})
