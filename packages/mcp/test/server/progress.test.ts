// A waiting call sends progress messages to its client.

import type { Principal, Runtime } from "@holdpoint/hub"
import { systemRuntime } from "@holdpoint/hub"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import type { ClientKind, JsonObject, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { openRaw, openRawModern, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import type { PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import type { World } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect } from "vitest"

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const later = <T extends { close(): Promise<void> }>(one: T): T => {
  cleanUps.push(() => one.close())
  return one
}

const args = { cell: "progress" }
const asked = expect.stringMatching(/^Asked: /)
const whole = [asked, "Agreed to open the page.", "The page was opened.", "Signed in.", "Connected."]

/** After the link was accepted: opens it, signs in as the person, and connects. */
async function connects(person: PersonAtPages): Promise<void> {
  const question = await person.question()
  await person.reaches(question.id, "accepted")
  await person.hub.open(question.id)
  await person.finishes(question)
}

/** The received progress, read from the wire: official clients drop messages right before the result. */
const progressOf = ({ received }: TestClient): readonly JsonObject[] =>
  received
    .filter(({ method }) => method === "notifications/progress")
    .map(({ params }) => (isObject(params) ? params : {}))

const wordsOf = (client: TestClient): readonly unknown[] => progressOf(client).map(({ message }) => message)

/** Call options that request progress. */
const progressOptions = { onprogress: () => {} }

async function openAs(kind: ClientKind, world: World): Promise<TestClient> {
  const answer = (): Reply => {
    void connects(world.person)
    return { action: "accept" }
  }
  return later(await open(kind, await world.endpoint(), { answer }))
}

describe("a held call", () => {
  verifies.each("mcp.progress")(["v2 legacy", "v1.32"] as const)(
    "tells %s what the person does, step by step",
    async (kind) => {
      const world = later(await createWorld())
      const client = await openAs(kind, world)
      expect(await client.call("ask_connection", args, progressOptions)).toMatchObject({ isError: false })
      expect(wordsOf(client)).toEqual(whole)
      const steps = progressOf(client).map(({ progress }) => Number(progress))
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      expect(new Set(steps).size).toBe(steps.length)
    },
  )

  verifies("mcp.progress", "reports to a client of 2026-07-28 on a retry that requested progress", async () => {
    const world = later(await createWorld())
    const client = later(openRawModern(await world.endpoint()))
    const first = await client.call("ask_connection", args)
    if (first.kind === "error" || !isObject(first.result.inputRequests)) throw new Error("not asked")
    const [key = ""] = Object.keys(first.result.inputRequests)
    const retried = client.request(
      "tools/call",
      {
        name: "ask_connection",
        arguments: args,
        requestState: first.result.requestState,
        inputResponses: { [key]: { action: "accept" } },
      },
      progressOptions,
    )
    await connects(world.person)
    expect(await retried).toMatchObject({ isError: false })
    expect(wordsOf(client)).toEqual(expect.arrayContaining(["The page was opened.", "Signed in.", "Connected."]))
  })

  verifies.each("mcp.heartbeat")(["v2 legacy", "v1.32"] as const)(
    "keeps %s from giving up while the person thinks, if progress resets its timeout",
    async (kind) => {
      // The server's minute is two seconds here, in which the client would give up.
      const after: Runtime["after"] = (ms, callback) => systemRuntime.after(ms / 30, callback)
      const world = later(await createWorld({ runtime: { ...systemRuntime, after } }))
      const client = later(await open(kind, await world.endpoint(), { answer: () => ({ action: "accept" }) }))
      const called = client.call("ask_connection", args, {
        ...progressOptions,
        timeout: 2_000,
        resetTimeoutOnProgress: true,
      })
      const isHeld = (): boolean => wordsOf(client).filter((words) => /^Still waiting/.test(String(words))).length > 4
      while (!isHeld()) await new Promise((resolve) => setTimeout(resolve, 100))
      await connects(world.person)
      expect(await called).toMatchObject({ isError: false, text: "Connected as alice@drive.example." })
    },
  )

  verifies("mcp.progress", "sends no progress to a client that did not request it", async () => {
    const world = later(await createWorld())
    const client = await openAs("v2 legacy", world)
    await client.call("ask_connection", args)
    expect(progressOf(client)).toEqual([])
  })

  verifies("mcp.progress-apart", "keeps the progress of two people with the same token apart", async () => {
    const world = later(await createWorld())
    const bobAtPages = later(createPersonAtPages(world.storage, world.keys, bob))
    const agrees = (): Reply => ({ action: "accept" })
    const openFor = async (person: Principal) =>
      later(await openRaw(rawDraft, await world.endpoint(person), { answer: agrees }))
    const [hers, his] = [await openFor(alice), await openFor(bob)]
    // Both clients have made the same number of requests, so their tokens are equal.
    const herCall = hers.call("ask_connection", args, progressOptions)
    const hisCall = his.call("ask_connection", args, progressOptions)
    await Promise.all([world.person.comes(), bobAtPages.comes()])
    await bobAtPages.reaches((await bobAtPages.question()).id, "accepted")
    await connects(world.person)
    await herCall
    expect(wordsOf(hers)).toEqual(whole)
    expect(wordsOf(his)).toEqual([asked, "Agreed to open the page."])
    await connects(bobAtPages)
    expect(await hisCall).toMatchObject({ isError: false })
    expect(wordsOf(his)).toEqual(whole)
    expect(wordsOf(hers)).toEqual(whole)
    const tokens = [hers, his].map((client) => new Set(progressOf(client).map(({ progressToken }) => progressToken)))
    expect(tokens[0]).toEqual(tokens[1])
  })
})
