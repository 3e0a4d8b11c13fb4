// The ends of a consent besides success: No on our page, No at the provider, errors, another account, other scopes.
// Each gives the waiting call its own error code, and none changes the person's earlier connection.

import type { ConnectionHandle } from "@holdpoint/accounts"
import { outcomeOf } from "@holdpoint/accounts"
import { createTestClock, type TestClock } from "@holdpoint/testing"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import {
  arrivePerson,
  ask,
  call,
  connectionsOf,
  isCallback,
  type Person,
  reachCallback,
  redeemedDuring,
} from "./setup.ts"

let world: World
let clock: TestClock
beforeAll(async () => {
  clock = createTestClock(Date.now())
  world = await openWorld({ runtime: clock, consent: { times: { retryMs: 60_000 } } })
})
afterEach(() => {
  Object.assign(world.notes.settings, { decision: "yes", grantOnly: undefined })
})
afterAll(() => world.close())

const connect = async (alice: Person, account: string, more: Parameters<typeof ask>[2] = {}): Promise<string> => {
  const { id, link } = await ask(world, alice, more)
  // Clears the provider's cookies, because a signed-in browser keeps its account there.
  alice.browser.cookies(world.notes.issuer).clear()
  world.notes.settings.user = account
  const reached = await alice.browser.submit(await alice.browser.open(link), { do: "continue" }, { stopAt: isCallback })
  await alice.browser.open(reached.url.href)
  return id
}

describe("No", () => {
  it("on our page ends the waiting call as declined, and the page says so", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link, ended } = await call(world, alice)
    const page = await alice.browser.open(link)
    expect(page.text).toMatch(/<button[^>]*name="do"[^>]*value="no"/)
    const done = await alice.browser.submit(page, { do: "no" })
    expect(done.text).toContain("You said no")
    expect(outcomeOf(await ended)?.status).toBe("declined")
  })

  verifies(
    "consent.no-means-no",
    "on our page while the provider's page is open counts: the provider's answer is not redeemed",
    async () => {
      const alice = await arrivePerson(world, "alice")
      const { link, ended } = await call(world, alice)
      const page = await alice.browser.open(link)
      const callback = await reachCallback(alice, world, link)
      await alice.browser.submit(page, { do: "no" })
      expect(await redeemedDuring(world, () => alice.browser.open(callback.href))).toBe(0)
      expect(outcomeOf(await ended)?.status).toBe("declined")
      expect(await connectionsOf(world, alice)).toEqual([])
    },
  )

  verifies(
    "consent.named-outcomes",
    "at the provider reaches the waiting call as access_denied when no other try follows",
    async () => {
      const alice = await arrivePerson(world, "alice")
      const { id, link, ended } = await call(world, alice)
      world.notes.settings.decision = "no"
      const callback = await reachCallback(alice, world, link)
      expect(callback.searchParams.get("error")).toBe("access_denied")
      const page = await alice.browser.open(callback.href)
      expect(page.text).toContain("You said no at Example Notes")
      expect((await world.server.hub.get(id))?.status).toBe("accepted")
      await clock.advance(61_000)
      const outcome = outcomeOf(await ended)
      expect(outcome?.status).toBe("declined")
      expect(outcome?.reason?.code).toBe("access_denied")
    },
  )

  verifies("consent.named-outcomes", "at the provider allows another try before the deadline", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link, ended } = await call(world, alice)
    world.notes.settings.decision = "no"
    const page = await alice.browser.open((await reachCallback(alice, world, link)).href)
    world.notes.settings.decision = "yes"
    await clock.advance(1_000)
    const again = await alice.browser.submit(page, { do: "continue" }, { stopAt: isCallback })
    // After this time a waiting call would have received the No.
    await clock.advance(61_000)
    await alice.browser.open(again.url.href)
    expect(((await ended) as ConnectionHandle).account?.id).toBe(`${alice.subject}-at-notes`)
    await clock.advance(61_000)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })
})

describe("an error of the provider", () => {
  it.each([
    ["server_error", "provider_server_error"],
    ["invalid_scope", "provider_invalid_scope"],
    ["<script>alert(1)</script>", "provider_error"],
  ])("%s reaches the waiting call as %s", async (error, code) => {
    const alice = await arrivePerson(world, "alice")
    const { link, ended } = await call(world, alice)
    const callback = await reachCallback(alice, world, link)
    callback.searchParams.delete("code")
    callback.searchParams.set("error", error)
    await alice.browser.open(callback.href)
    await clock.advance(61_000)
    const outcome = outcomeOf(await ended)
    expect(outcome?.status).toBe("failed")
    expect(outcome?.reason?.code).toBe(code)
  })

  it("in the token exchange reaches the waiting call by its name", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link, ended } = await call(world, alice)
    const callback = await reachCallback(alice, world, link)
    callback.searchParams.set("code", "never-issued")
    await alice.browser.open(callback.href)
    await clock.advance(61_000)
    expect(outcomeOf(await ended)?.reason?.code).toBe("provider_invalid_grant")
  })
})

describe("a different account than before", () => {
  const begin = async () => {
    const alice = await arrivePerson(world, "alice")
    await connect(alice, "first-account")
    const [before] = await connectionsOf(world, alice)
    const id = await connect(alice, "second-account", { scopes: ["notes.read", "notes.write"] })
    const page = await alice.browser.open(`${world.server.publicUrl}/connect/${id}`)
    return { alice, before, id, page }
  }

  verifies(
    "connection.other-account",
    "is noticed, shown with both names, and not used before the person confirms it",
    async () => {
      const { alice, before, id, page } = await begin()
      expect(page.text).toContain("first-account")
      expect(page.text).toContain("second-account")
      expect((await world.server.hub.get(id))?.status).toBe("accepted")
      const active = (await connectionsOf(world, alice)).filter(({ status }) => status === "active")
      expect(active).toEqual([before])
    },
  )

  it("that the person confirms is connected beside the first", async () => {
    const { alice, id, page } = await begin()
    expect((await alice.browser.submit(page, { do: "use" })).text).toContain("Connected as")
    const accounts = (await connectionsOf(world, alice)).map(({ account, status }) => [account?.id, status])
    expect(accounts).toHaveLength(2)
    expect(accounts).toContainEqual(["first-account", "active"])
    expect(accounts).toContainEqual(["second-account", "active"])
    expect((await world.server.hub.get(id))?.status).toBe("completed")
  })

  verifies(
    "connection.other-account",
    "that the person rejects is revoked, and the first stays as it was",
    async () => {
      const { alice, before, id, page } = await begin()
      const afterKeep = await alice.browser.submit(page, { do: "keep" })
      expect(afterKeep.text).toContain("a different account")
      expect((await connectionsOf(world, alice)).filter(({ status }) => status !== "revoked")).toEqual([before])
      await clock.advance(61_000)
      expect((await world.server.hub.get(id))?.reason?.code).toBe("other_account")
    },
  )

  it("is not confirmed when the person does not answer", async () => {
    const { alice, before, id } = await begin()
    await clock.advance(11 * 60_000)
    expect((await connectionsOf(world, alice)).filter(({ status }) => status !== "revoked")).toEqual([before])
    expect((await world.server.hub.get(id))?.status).not.toBe("completed")
  })

  it("cannot be confirmed by another person", async () => {
    const { alice, before, page } = await begin()
    const mallory = await arrivePerson(world, "mallory")
    const own = await mallory.browser.open((await ask(world, mallory)).link)
    const forged = { ...own, text: own.text.replaceAll(own.url.pathname, page.url.pathname) }
    expect((await mallory.browser.submit(forged, { do: "use" })).status).toBe(404)
    const active = (await connectionsOf(world, alice)).filter(({ status }) => status === "active")
    expect(active).toEqual([before])
  })
})

describe("scopes", () => {
  verifies(
    "connection.step-up",
    "that are added keep the old grant until the new one exists, in the same connection (step-up)",
    async () => {
      const alice = await arrivePerson(world, "alice")
      await connect(alice, "stays-the-same")
      const [before] = await connectionsOf(world, alice)
      const wider = { scopes: ["notes.write"] }
      world.notes.settings.decision = "no"
      await connect(alice, "stays-the-same", wider)
      expect(await connectionsOf(world, alice)).toEqual([before])
      world.notes.settings.decision = "yes"
      await connect(alice, "stays-the-same", wider)
      const after = await connectionsOf(world, alice)
      expect(after.map(({ id }) => id)).toEqual([before?.id])
      expect(after[0]?.scopes).toEqual(expect.arrayContaining(["notes.read", "notes.write"]))
      const handle = await world.server.vault.find(world.need(alice.subject, wider))
      expect((await handle?.fetch(`${world.notes.issuer}/me`))?.status).toBe(200)
    },
  )

  it("that the provider narrowed are recorded as granted, and the call that needs more fails", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link, ended } = await call(world, alice, { scopes: ["notes.read", "notes.write"] })
    world.notes.settings.grantOnly = ["openid", "offline_access", "notes.read"]
    await alice.browser.open((await reachCallback(alice, world, link)).href)
    const [connection] = await connectionsOf(world, alice)
    expect(connection?.scopes).toContain("notes.read")
    expect(connection?.scopes).not.toContain("notes.write")
    const message = expect.stringMatching(/connected, but not as needed: fewer \w+ were granted/)
    expect(await ended).toMatchObject({ code: "connection_needed", message })
    expect(outcomeOf(await ended)?.status).toBe("completed")
  })
})
