// The typed client asks over HTTP: one line to ask, one to wait, through lost connections.

import { type ApiWorld, openApiWorld, publicUrl } from "@holdpoint/testkit/server/http/api-world"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { createClient } from "../src/index.ts"

/** A client whose first requests of a kind are lost on the way. */
function clientOf(world: ApiWorld, isLost: (url: string) => boolean = () => false) {
  return createClient({
    ...{ url: publicUrl, token: world.key },
    async fetch(url, { redirect: _redirect, ...init }) {
      if (isLost(url)) throw new TypeError("fetch failed")
      return world.holdpoint.fetch(new Request(url, init))
    },
  }).questions
}

const question = (world: ApiWorld) =>
  ({ message: "Deploy?", confirm: true, audience: world.audience, key: "1" }) as const

describe("a program with the client", () => {
  it("asks, waits through a lost connection, and gets the answer", async () => {
    const world = await openApiWorld()
    let lost = 1
    const questions = clientOf(world, (url) => url.includes("wait=") && lost-- > 0)
    const asked = await questions.ask(question(world))
    expect(await questions.ask(question(world))).toEqual(asked)
    const waiting = questions.wait(asked.id)
    await world.hub.answer(asked.id, { by: world.me, action: "accept", content: { confirmed: "yes" } })
    expect(await waiting).toMatchObject({ status: "completed", said: "yes", content: { confirmed: "yes" } })
    expect((await questions.get(asked.id)).status).toBe("completed")
    expect(lost).toBeLessThan(0)
  })

  it.each(["wait", "events"] as const)("tries %s again after 250 ms, and waits longer each time", async (method) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const startedAt = Date.now()
    const triedAt: number[] = []
    const stop = new AbortController()
    const { questions } = createClient({
      url: publicUrl,
      async fetch() {
        triedAt.push(Date.now() - startedAt)
        throw new TypeError("fetch failed")
      },
    })
    const { signal } = stop
    const trying = method === "wait" ? questions.wait("q", { signal }) : questions.events("q", { signal }).next()
    const ended = expect(trying).rejects.toThrow("enough")
    await vi.advanceTimersByTimeAsync(2_000)
    stop.abort(new Error("enough"))
    await ended
    expect(triedAt).toEqual([0, 250, 750, 1_750])
  })

  it("follows the steps of a question to its end, each step once", async () => {
    const world = await openApiWorld()
    const questions = clientOf(world)
    const { id } = await questions.ask({ message: "Pay", url: "https://pay.example/", audience: world.audience })
    const steps: string[] = []
    for await (const { kind } of questions.events(id)) {
      steps.push(kind)
      if (kind === "asked") await world.hub.answer(id, { by: world.me, action: "accept" })
      if (kind === "accepted") await questions.complete(id)
    }
    expect(steps).toEqual(["asked", "accepted", "completed"])
  })

  it("cancels, stops waiting when told to, and gets a refusal of the server as an error", async () => {
    const world = await openApiWorld()
    const questions = clientOf(world)
    const { id } = await questions.ask(question(world))
    const stop = new AbortController()
    const waiting = questions.wait(id, { signal: stop.signal })
    stop.abort(new Error("enough"))
    await expect(waiting).rejects.toThrow("enough")
    expect((await questions.cancel(id, "Done by hand.")).status).toBe("cancelled")
    const refused = questions.ask({ ...question(world), message: "" })
    await expect(refused).rejects.toMatchObject({ code: "invalid_question", status: 422 })
    await expect(questions.wait("nothing")).rejects.toMatchObject({ code: "not_found" })
  })
})
