// Sessions end when they should, only their own person ends them by hand, and the database holds no token.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { Records } from "@holdpoint/hub/storage"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import { alice, bob, carol, mallory } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { csrfToken } from "../../src/identity/csrf.ts"
import { defaultIdentityTimes } from "../../src/identity/identity.ts"
import type { Session } from "../../src/identity/records.ts"
import { sessionKind } from "../../src/identity/records.ts"
import type { Sessions } from "../../src/identity/sessions.ts"
import { createSessions } from "../../src/identity/sessions.ts"
import { dump } from "./setup.ts"

const minute = 60_000
const hour = 60 * minute
const { idleMs, absoluteMs } = defaultIdentityTimes

function setUp(watch: (records: Records<Session>) => Records<Session> = (records) => records): {
  readonly sessions: Sessions
  readonly storage: Storage
  readonly clock: TestClock
} {
  const storage = createMemoryStorage()
  const clock = createTestClock()
  return {
    sessions: createSessions(watch(storage.records(sessionKind)), clock, { idleMs, absoluteMs }),
    storage,
    clock,
  }
}

describe("a session", () => {
  it("is found by its token and by nothing else", async () => {
    const { sessions } = setUp()
    const { token, session } = await sessions.begin({ principal: carol, name: "Carol" })
    expect(await sessions.session(token)).toEqual(session)
    expect(session.principal.roles).toEqual(["manager"])
    for (const wrong of [undefined, "", session.id, `${token}x`, token.slice(1)])
      expect(await sessions.session(wrong)).toBeUndefined()
  })

  verifies("identity.sessions", "is stored as a hash: a stolen database creates no session", async () => {
    const { sessions, storage } = setUp()
    const { token, session } = await sessions.begin({ principal: alice })
    const dumped = await dump(storage)
    expect(dumped).not.toContain(token)
    expect(dumped).toContain(session.id)
    expect(await sessions.session(session.id)).toBeUndefined()
  })

  it("ends after eight hours without use", async () => {
    const { sessions, clock } = setUp()
    const { token } = await sessions.begin({ principal: alice })
    await clock.advance(idleMs - 1)
    const { token: other } = await sessions.begin({ principal: alice })
    await clock.advance(1)
    expect(await sessions.session(token)).toBeUndefined()
    expect(await sessions.session(other)).toBeDefined()
  })

  verifies("identity.sessions", "stays alive while it is used, but ends after seven days", async () => {
    const { sessions, clock } = setUp()
    const { token } = await sessions.begin({ principal: alice })
    for (let at = 7 * hour; at < absoluteMs; at += 7 * hour) {
      await clock.advance(7 * hour)
      expect(await sessions.session(token)).toBeDefined()
    }
    await clock.advance(absoluteMs % (7 * hour) || 7 * hour)
    expect(await sessions.session(token)).toBeUndefined()
  })

  it("is not resurrected by being used after its end", async () => {
    const { sessions, clock } = setUp()
    const { token } = await sessions.begin({ principal: alice })
    await clock.advance(idleMs)
    expect(await sessions.session(token)).toBeUndefined()
    await clock.advance(-minute)
    await clock.advance(minute)
    expect(await sessions.session(token)).toBeUndefined()
  })

  it("is written at most once a minute, whatever the number of requests", async () => {
    let writes = 0
    const { sessions, clock } = setUp((records) => ({
      ...records,
      replace(next, entry) {
        writes++
        return records.replace(next, entry)
      },
    }))
    const { token } = await sessions.begin({ principal: alice })
    for (let request = 0; request < 100; request++) {
      await clock.advance(3_000)
      await sessions.session(token)
    }
    expect(writes).toBe(5)
  })

  it("is valid for all of 20 concurrent requests, of which one writes", async () => {
    const { sessions, clock } = setUp()
    const { token } = await sessions.begin({ principal: alice })
    await clock.advance(2 * minute)
    const seen = await Promise.all(Array.from({ length: 20 }, () => sessions.session(token)))
    expect(seen.every((session) => session !== undefined)).toBe(true)
    expect((await sessions.session(token))?.version).toBe(2)
  })

  it("is ended once by 20 concurrent sign-outs, with one entry in the trail", async () => {
    const { sessions, storage } = setUp()
    const { token, session } = await sessions.begin({ principal: alice })
    const ended = await Promise.all(Array.from({ length: 20 }, () => sessions.end(token)))
    expect(ended.filter(Boolean)).toHaveLength(1)
    expect((await storage.trail.read({ id: session.id, limit: 50 })).map(({ kind }) => kind)).toEqual([
      "signed_in",
      "signed_out",
    ])
    expect(await sessions.session(token)).toBeUndefined()
  })

  it("that was ended stays ended, although a request was under way", async () => {
    const { sessions, clock } = setUp()
    const { token } = await sessions.begin({ principal: alice })
    await clock.advance(2 * minute)
    await Promise.all([sessions.session(token), sessions.end(token), sessions.session(token)])
    expect(await sessions.session(token)).toBeUndefined()
  })
})

describe("a person's sessions", () => {
  it("are listed by last use, with the name of the browser and without ended sessions", async () => {
    const { sessions, clock } = setUp()
    await sessions.begin({ principal: alice })
    await clock.advance(idleMs)
    const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36"
    const { session: first } = await sessions.begin({ principal: alice }, { agent })
    await clock.advance(minute)
    const { session: second } = await sessions.begin({ principal: alice })
    await sessions.begin({ principal: bob })
    expect((await sessions.list(alice)).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(first.agent).toBe("Chrome on Linux")
  })

  it("are all listed when they fill more than one page", async () => {
    const { sessions } = setUp()
    await Promise.all(Array.from({ length: 450 }, () => sessions.begin({ principal: alice })))
    expect(await sessions.list(alice)).toHaveLength(450)
  })

  it("cannot be ended by id by another person", async () => {
    const { sessions } = setUp()
    const { token, session } = await sessions.begin({ principal: alice })
    for (const other of [bob, mallory]) expect(await sessions.endById(session.id, other)).toBe(false)
    expect(await sessions.session(token)).toBeDefined()
    expect(await sessions.endById(session.id, alice)).toBe(true)
    expect(await sessions.endById(session.id, alice)).toBe(false)
    expect(await sessions.session(token)).toBeUndefined()
  })

  it("can all be ended except the current one", async () => {
    const { sessions } = setUp()
    const { token, session } = await sessions.begin({ principal: alice })
    const { token: another } = await sessions.begin({ principal: alice })
    const { token: bobs } = await sessions.begin({ principal: bob })
    expect(await sessions.endAll(alice, session.id)).toBe(1)
    expect(await sessions.session(another)).toBeUndefined()
    expect(await sessions.session(token)).toBeDefined()
    expect(await sessions.endAll(alice)).toBe(1)
    expect(await sessions.session(bobs)).toBeDefined()
  })

  it("are removed after they have ended, however many, with an entry in the trail", async () => {
    const { sessions, clock, storage } = setUp()
    await Promise.all(Array.from({ length: 450 }, () => sessions.begin({ principal: alice })))
    await clock.advance(idleMs / 2)
    const { session: kept } = await sessions.begin({ principal: bob })
    await clock.advance(idleMs / 2)
    expect(await sessions.sweep()).toBe(450)
    expect(await sessions.sweep()).toBe(0)
    expect(await storage.records(sessionKind).list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual([kept])
    const [last] = (await storage.trail.read({ limit: 2_000 })).slice(-1)
    expect(last).toMatchObject({ kind: "signed_out", detail: { code: "expired" } })
  })
})

describe("the token of a form", () => {
  it("fits only its own session, and does not reveal the session's token", async () => {
    const { sessions } = setUp()
    const { token } = await sessions.begin({ principal: alice })
    const { token: other } = await sessions.begin({ principal: alice })
    const form = csrfToken(token)
    expect(csrfToken(token)).toBe(form)
    expect(csrfToken(other)).not.toBe(form)
    expect(form).not.toContain(token)
  })
})
