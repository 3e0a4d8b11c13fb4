// The life of a connection on the real databases, two nodes each: stored, refreshed, widened, disconnected, revoked.

import { alice } from "@holdpoint/testkit/fixtures"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { postgres, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { describe, expect, it } from "vitest"
import { mergeInto, storeGrant } from "../../src/vault/grants.ts"
import { revocationKind } from "../../src/vault/records.ts"
import { drive, hour, need, setUp, toCredentials } from "./scripted.ts"

const url = "https://api.drive.example/files"
const engines: readonly (readonly [string, Engine])[] = [
  ["SQLite", sqlite],
  ["Postgres", postgres],
]

describe.each(engines)("a connection on %s", (_name, engine) => {
  it("is refreshed, used and ended on one node, and another node with the same database sees it", async () => {
    const harness = await engine()
    const [storage, elsewhere] = [await harness.open(), await harness.open()]
    const setup = setUp({ storage })
    const { vault, another, connected, clock, books, stored, parts, hub, trailOf } = setup
    const other = another({ storage: elsewhere })
    try {
      const { id } = await connected({ lifeMs: 1_000 })
      clock.set(clock.now() + hour)
      const handles = [await vault.use(id), await other.use(id)]
      const [first] = handles
      const answers = await Promise.all(handles.flatMap((handle) => [handle.fetch(url), handle.fetch(url)]))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(books.presented).toEqual(["first-refresh-0"])

      const wider = { name: "wide", access_token: "wide-access", refresh_token: "wide-refresh" }
      const credentials = { ...toCredentials(wider, clock.now()), scopes: ["files", "mail"] }
      const pending = await storeGrant(parts, { owner: need.owner, provider: drive.id, credentials, by: alice })
      await mergeInto(parts, id, pending.id, { account: { id: "first" }, by: alice })
      expect((await other.find({ ...need, scopes: ["mail"] }))?.id).toBe(id)
      expect((await first!.fetch(url)).status).toBe(200)

      books.revocations.push(() => ({ kind: "later", reason: { code: "unavailable" } }))
      expect(await other.disconnect(id, { by: alice })).toEqual({ kind: "disconnected", upstream: "later" })
      await expect((await vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "connection_revoked" })
      clock.set(clock.now() + hour)
      await vault.work()
      expect(books.revoked).toEqual(["wide-access"])
      expect((await stored(id)).sealed).toBeUndefined()
      expect(await storage.records(revocationKind).list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual([])
      const kinds = (await trailOf(id)).map(({ kind }) => kind)
      expect(kinds).toEqual(["connected", "refreshed", "connected", "disconnected"])
    } finally {
      for (const one of [vault, other, hub]) await one.close()
      for (const one of [storage, elsewhere]) await one.close()
      await harness.destroy()
    }
  })
})
