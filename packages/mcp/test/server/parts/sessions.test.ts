// What is stored of sessions: the links they were given, and that they have ended. Everything else is in their id.

import { createMemoryStorage } from "@holdpoint/hub"
import { createTokens, withNewKey } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { clientSessionKind } from "../../../src/server/records.ts"
import { createSessions } from "../../../src/server/sessions.ts"

const hers = { principal: alice, clientId: "c" }
const his = { principal: bob, clientId: "c" }
const anonymousCaller = { clientId: "" }
const initialize = (params: object) => ({ method: "initialize", params })
const modern = initialize({
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: { form: {}, url: {} } },
  clientInfo: { name: "Sly", version: "1" },
})

function setUp() {
  const clock = createTestClock()
  const storage = createMemoryStorage()
  const tokens = createTokens(withNewKey())
  const process = () => createSessions({ storage, tokens, runtime: clock })
  return { clock, storage, process }
}

describe("a session", () => {
  verifies(
    "mcp.sessions-without-memory",
    "is known to every process and stored by none, until there is something to remember",
    async () => {
      const { process, storage } = setUp()
      const { session, sealedId: text } = process().begin(modern, hers)
      expect(await process().open(text, hers)).toEqual(session)
      expect(session).toMatchObject({ revision: "2025-11-25", modes: { form: true, url: true }, name: "Sly" })
      expect(await storage.records(clientSessionKind).get(session.id)).toBeUndefined()
    },
  )

  it("is served as the newest of its era when it asks for something newer", () => {
    const { process } = setUp()
    const { session } = process().begin(
      initialize({ protocolVersion: "2026-07-28", capabilities: { elicitation: {} } }),
      hers,
    )
    expect(session).toMatchObject({ revision: "2025-11-25", modes: { form: true, url: false } })
  })

  it("belongs to one person, or is anonymous", async () => {
    const { process } = setUp()
    const sessions = process()
    const mine = sessions.begin(modern, hers)
    const anonymous = sessions.begin(modern, anonymousCaller)
    expect(await sessions.open(mine.sealedId, his)).toBeUndefined()
    expect(await sessions.open(mine.sealedId, anonymousCaller)).toBeUndefined()
    expect(await sessions.open(anonymous.sealedId, hers)).toBeUndefined()
    expect(await sessions.open(anonymous.sealedId, anonymousCaller)).toEqual(anonymous.session)
  })

  it("that was ended, or is a week old, is unknown to every process", async () => {
    const { process, clock } = setUp()
    const [one, two] = [process(), process()]
    const first = one.begin(modern, hers)
    await one.addLink(first.session, hers, "e")
    await two.end(first.session, hers)
    expect(await one.open(first.sealedId, hers)).toBeUndefined()
    expect(await one.pendingLinks(first.session)).toEqual([])
    await one.end(first.session, hers)
    const second = one.begin(modern, hers)
    clock.set(clock.now() + 7 * 24 * 60 * 60_000)
    expect(await one.open(second.sealedId, hers)).toBeUndefined()
  })

  it("is notified of each link once, by one process", async () => {
    const { process } = setUp()
    const { session } = process().begin(modern, hers)
    await Promise.all(["a", "b", "a"].map((id) => process().addLink(session, hers, id)))
    expect([...(await process().pendingLinks(session))].sort()).toEqual(["a", "b"])
    const removals = await Promise.all(Array.from({ length: 10 }, () => process().removeLink(session, "a")))
    expect(removals.filter(Boolean)).toHaveLength(1)
    expect(await process().pendingLinks(session)).toEqual(["b"])
    expect(await process().removeLink(session, "unknown")).toBe(false)
  })

  it("is not notified of links of another session", async () => {
    const { process } = setUp()
    const sessions = process()
    const [one, two] = [sessions.begin(modern, hers).session, sessions.begin(modern, hers).session]
    await sessions.addLink(one, hers, "a")
    expect(await sessions.removeLink(two, "a")).toBe(false)
    expect(await sessions.pendingLinks(one)).toEqual(["a"])
  })

  it("remembers the latest of very many links", async () => {
    const { process } = setUp()
    const sessions = process()
    const { session } = sessions.begin(modern, hers)
    for (let at = 0; at < 150; at++) await sessions.addLink(session, hers, `${at}`)
    const promised = await sessions.pendingLinks(session)
    expect(promised).toHaveLength(100)
    expect(promised.at(-1)).toBe("149")
  })
})
