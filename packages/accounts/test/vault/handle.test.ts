// Calls with a connection: where credentials may go, what a 401 leads to, and how soon a disconnection takes effect.

import { inspect } from "node:util"
import type { Fetch } from "@holdpoint/accounts"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { outcomeOf } from "../../src/vault/connection-errors.ts"
import { mergeInto, storeGrant } from "../../src/vault/grants.ts"
import type { ProviderRefreshResult } from "../../src/vault/kind.ts"
import { connectionKind } from "../../src/vault/records.ts"
import { disconnect } from "../../src/vault/revoke.ts"
import { drive, hour, need, setUp, toCredentials } from "./scripted.ts"

const url = "https://api.drive.example/files"

describe("a call", () => {
  it("sends the credentials and the provider's headers, whatever Authorization header the author sets", async () => {
    const { vault, connected, calls } = setUp()
    const { id } = await connected()
    const handle = await vault.use(id)
    await handle.fetch(url, { method: "POST", headers: { AUTHORIZATION: "Bearer mine", "x-own": "1" }, body: "hello" })
    await handle.fetch(new URL(url), { headers: { "drive-version": "3" } })
    const [first, second] = calls
    expect(first).toMatchObject({ url, authorization: "Bearer first-access-0", body: "hello" })
    expect(first?.headers.get("x-own")).toBe("1")
    expect(first?.headers.get("drive-version")).toBe("2")
    expect(second?.headers.get("drive-version")).toBe("3")
  })

  verifies("connection.time-limits", "waits as long as the provider's data or the author's call says", async () => {
    const waits: unknown[] = []
    const apiFetch: Fetch = async (_url, init) => {
      waits.push(init?.timeoutMs)
      return new Response("fine")
    }
    const slow = { ...drive, timeoutMs: 900_000 }
    const { connected, another } = setUp()
    const { id } = await connected()
    await (await another({ apiFetch }).use(id)).fetch(url)
    const handle = await another({ apiFetch, providers: [slow] }).use(id)
    await handle.fetch(url)
    await handle.fetch(url, { timeoutMs: 5_000 })
    expect(waits).toEqual([undefined, 900_000, 5_000])
  })

  it("never sends the author's own Authorization header, whatever the kind of credentials", async () => {
    const { another, connected, calls, parts } = setUp()
    const { id } = await connected()
    const keyed = { ...parts.kindOf(drive), authorize: () => ({ "x-key": "k" }) }
    const handle = await another({
      kinds: { oauth: keyed, mcp_server: keyed, login_flow: keyed, api_key: keyed, basic: keyed },
    }).use(id)
    await handle.fetch(url, { headers: { authorization: "Bearer mine" } }).catch(() => {})
    expect(calls[0]?.authorization).toBeNull()
    expect(calls[0]?.headers.get("x-key")).toBe("k")
  })

  it.each([
    "https://evil.example/files",
    "http://api.drive.example/files",
    "https://api.drive.example:8443/files",
    "https://api.drive.example.evil.example/files",
    "https://api.drive.example@evil.example/files",
    "https://user:pass@api.drive.example/files",
    "//api.drive.example/files",
    "/files",
    "javascript:alert(1)",
  ])("to %s is refused before anything is sent", async (address) => {
    const { vault, connected, calls } = setUp()
    const { id } = await connected()
    await expect((await vault.use(id)).fetch(address)).rejects.toMatchObject({ code: "unsafe_address" })
    expect(calls).toEqual([])
  })

  it("reads no database while the token is fresh", async () => {
    const { vault, connected, storage, calls } = setUp()
    const { id } = await connected()
    const handle = await vault.use(id)
    await handle.fetch(url)
    let reads = 0
    const { get } = storage.records(connectionKind)
    Object.assign(storage.records(connectionKind), {
      get(asked: string) {
        reads += 1
        return get(asked)
      },
    })
    for (let call = 0; call < 100; call++) await handle.fetch(url)
    expect(calls).toHaveLength(101)
    expect(reads).toBe(0)
  })
})

describe("a 401", () => {
  verifies("telemetry.unauthorized", "is counted for each call that it answers, and no other answer is", async () => {
    const counted: unknown[] = []
    const observer = { unauthorized: (call: unknown) => void counted.push(call) }
    const { another, connected, books } = setUp()
    const { id } = await connected()
    const handle = await another({ observer }).use(id)
    await handle.fetch(url)
    expect(counted).toEqual([])
    books.refused.add("first-access-0")
    expect((await handle.fetch(url)).status).toBe(200)
    expect(counted).toEqual([{ provider: "drive", credentials: "sent" }])
    books.refused.add("first-access-1").add("first-access-2")
    await expect(handle.fetch(url)).rejects.toThrow()
    expect(counted).toHaveLength(3)
  })

  verifies("telemetry.never-in-the-way", "is handled as usual when the observer throws", async () => {
    const unauthorized = (): void => {
      throw new Error("broken")
    }
    const { another, connected, books, reports } = setUp()
    const { id } = await connected()
    books.refused.add("first-access-0")
    expect((await (await another({ observer: { unauthorized } }).use(id)).fetch(url)).status).toBe(200)
    expect(reports).toEqual(["observing a call: Error: broken"])
  })

  it.each([
    ["text", "hello"],
    ["bytes", new Uint8Array([1, 2])],
    ["a form", new URLSearchParams({ a: "b" })],
    ["a multipart form", new FormData()],
    ["nothing", undefined],
  ])("refreshes once and repeats a call with %s once", async (_what, body) => {
    const { vault, connected, books, calls, stored } = setUp()
    const { id } = await connected()
    books.refused.add("first-access-0")
    const init = body === undefined ? {} : { method: "POST", body }
    expect((await (await vault.use(id)).fetch(url, init)).status).toBe(200)
    expect(calls.map(({ authorization }) => authorization)).toEqual(["Bearer first-access-0", "Bearer first-access-1"])
    expect(calls.map((call) => call.body)).toEqual([body ?? null, body ?? null])
    expect(books.presented).toHaveLength(1)
    expect(await stored(id)).toMatchObject({ status: "active" })
  })

  it("is returned to the author of a stream, which is not sent twice; the next call has new credentials", async () => {
    const { vault, connected, books, calls } = setUp()
    const { id } = await connected()
    books.refused.add("first-access-0")
    const handle = await vault.use(id)
    const body = new ReadableStream()
    expect((await handle.fetch(url, { method: "POST", body, duplex: "half" } as RequestInit)).status).toBe(401)
    expect(calls).toHaveLength(1)
    expect((await handle.fetch(url)).status).toBe(200)
    expect(books.presented).toHaveLength(1)
  })

  it("does not refresh what another node has refreshed meanwhile", async () => {
    const { vault, another, connected, books, storage, calls } = setUp()
    const { id } = await connected()
    const handle = await vault.use(id)
    await handle.fetch(url)
    // This node receives no notifications.
    const deaf = another({ storage: { ...storage, trail: { ...storage.trail, subscribe: () => () => {} } } })
    const stale = await deaf.use(id)
    await stale.fetch(url)
    books.refused.add("first-access-0")
    await handle.fetch(url)
    expect((await stale.fetch(url)).status).toBe(200)
    expect(books.presented).toEqual(["first-refresh-0"])
    expect(calls.at(-1)?.authorization).toBe("Bearer first-access-1")
  })

  verifies(
    "connection.401-renews-once",
    "even with fresh credentials ends the connection, and the owner is asked again",
    async () => {
      const { vault, connected, books, calls, stored, hub } = setUp()
      const { id } = await connected()
      books.refused.add("first-access-0").add("first-access-1")
      const handle = await vault.find(need)
      const error = await handle?.fetch(url).catch((thrown: unknown) => thrown)
      expect(calls).toHaveLength(2)
      expect(await stored(id)).toMatchObject({ status: "needs_reauth", reason: { code: "unauthorized" } })
      const outcome = outcomeOf(error)
      expect(outcome).toMatchObject({ status: "asked" })
      const question = await hub.get(outcome?.question?.id ?? "")
      expect(question).toMatchObject({
        status: "pending",
        context: { connection: id, provider: "drive", scopes: "files", reason: "unauthorized", account: "first" },
      })
      expect(outcome?.question?.url).toBe(`https://hub.example/connect/${question?.id}`)
    },
  )

  it("does not end a connection that the person connects again at that moment", async () => {
    const { another, parts, connected, clock, stored } = setUp()
    const { id, connectedBy } = await connected()
    let calls = 0
    const apiFetch = async (): Promise<Response> => {
      calls += 1
      if (calls === 2) {
        const credentials = toCredentials({ name: "new", access_token: "new", refresh_token: "new" }, clock.now())
        const pending = await storeGrant(parts, { owner: need.owner, provider: "drive", credentials, by: connectedBy })
        await mergeInto(parts, id, pending.id, { by: connectedBy })
      }
      return new Response(null, { status: 401 })
    }
    expect((await (await another({ apiFetch }).use(id)).fetch(url)).status).toBe(401)
    expect(calls).toBe(2)
    expect(await stored(id)).toMatchObject({ status: "active" })
  })

  it("does not end the connection when the provider cannot be asked for new credentials", async () => {
    const { vault, connected, books, stored } = setUp()
    const { id } = await connected()
    books.refused.add("first-access-0")
    const unknown: ProviderRefreshResult = { kind: "unknown", reason: { code: "timeout" } }
    books.script.push(
      () => unknown,
      () => unknown,
    )
    await expect((await vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "provider_unavailable" })
    expect(await stored(id)).toMatchObject({ status: "active" })
  })

  it("immediately ends a connection whose credentials cannot be refreshed", async () => {
    const { vault, connected, books, stored, calls } = setUp()
    const { id } = await connected()
    books.refused.add("first-access-0")
    books.script.push(() => ({ kind: "nothing" }))
    await expect((await vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
    expect(await stored(id)).toMatchObject({ status: "needs_reauth", reason: { code: "unauthorized" } })
    expect(calls).toHaveLength(1)
  })
})

describe("a disconnection", () => {
  verifies(
    "connection.given-back-in-order",
    "stops use on every node as soon as the node is notified, even through existing handles",
    async () => {
      const { vault, another, connected, calls, clock } = setUp()
      const { id, connectedBy } = await connected()
      const [here, elsewhere] = [await vault.use(id), await another().use(id)]
      await elsewhere.fetch(url)
      await vault.disconnect(id, { by: connectedBy })
      await expect(here.fetch(url)).rejects.toMatchObject({ code: "connection_revoked" })
      await clock.advance(0)
      await expect(elsewhere.fetch(url)).rejects.toMatchObject({ code: "connection_revoked" })
      await expect(elsewhere.credentials()).rejects.toMatchObject({ code: "connection_revoked" })
      expect(calls).toHaveLength(1)
    },
  )

  it("that is announced while the record is being read leaves nothing usable in memory", async () => {
    const { parts, another, connected, storage, calls, clock } = setUp()
    const { id, connectedBy } = await connected()
    let isSlow = false
    const slow = overriding(storage, connectionKind, ({ get }) => ({
      async get(asked) {
        const read = await get(asked)
        if (isSlow) {
          isSlow = false
          await disconnect(parts, id, { by: connectedBy })
          await clock.advance(0)
        }
        return read
      },
    }))
    const handle = await another({ storage: slow }).use(id)
    isSlow = true
    await expect(handle.fetch(url)).rejects.toMatchObject({ code: "connection_revoked" })
    expect(calls).toEqual([])
  })

  it("whose notification was lost is noticed within a minute", async () => {
    const { vault, another, connected, storage, clock, calls } = setUp()
    const { id, connectedBy } = await connected()
    const deaf = another({ storage: { ...storage, trail: { ...storage.trail, subscribe: () => () => {} } } })
    const handle = await deaf.use(id)
    await handle.fetch(url)
    await vault.disconnect(id, { by: connectedBy })
    clock.set(clock.now() + 60_000)
    await expect(handle.fetch(url)).rejects.toMatchObject({ code: "connection_revoked" })
    expect(calls).toHaveLength(1)
  })
})

it("a closed vault makes no more calls, because it would not learn of a disconnection", async () => {
  const { vault, connected, calls } = setUp()
  const { id } = await connected()
  const handle = await vault.use(id)
  await handle.fetch(url)
  await vault.close()
  await expect(handle.fetch(url)).rejects.toMatchObject({ code: "closed" })
  expect(calls).toHaveLength(1)
})

describe("the last use", () => {
  it("is written once a minute, without an entry in the trail", async () => {
    const { vault, another, connected, clock, stored, trailOf } = setUp()
    const { id, version } = await connected()
    const handle = await vault.use(id)
    const elsewhere = await another().use(id)
    for (let call = 0; call < 10; call++) {
      await handle.fetch(url)
      await elsewhere.fetch(url)
    }
    await clock.advance(0)
    expect(await stored(id)).toMatchObject({ version: version + 1, lastUsedAt: clock.now() })
    clock.set(clock.now() + 60_000)
    await handle.fetch(url)
    await clock.advance(0)
    expect(await stored(id)).toMatchObject({ version: version + 2, lastUsedAt: clock.now() })
    expect((await trailOf(id)).map(({ kind }) => kind)).toEqual(["connected"])
  })

  it("that cannot be written is reported, and the call succeeds", async () => {
    const { another, connected, storage, clock, reports } = setUp()
    const { id } = await connected()
    const full = overriding(storage, connectionKind, () => ({
      replace: () => Promise.reject(new Error("the disk is full")),
    }))
    const handle = await another({ storage: full }).use(id)
    expect((await handle.fetch(url)).status).toBe(200)
    await clock.advance(0)
    expect(reports).toEqual(["noting the use of a connection: Error: the disk is full"])
  })
})

describe("credentials", () => {
  verifies("connection.credentials-stay", "are fresh, hold no refresh token, and reveal nothing in a log", async () => {
    const { vault, connected, clock } = setUp()
    const { id } = await connected({ lifeMs: 1_000, fields: { id_token: "an id token" } })
    clock.set(clock.now() + hour)
    const credentials = await (await vault.use(id)).credentials()
    expect(credentials.fields.access_token).toBe("first-access-1")
    expect(credentials.headers).toMatchObject({ authorization: "Bearer first-access-1" })
    expect(credentials.expiresAt).toBe(clock.now() + hour)
    expect(Object.keys(credentials.fields)).not.toContain("refresh_token")
    expect(Object.keys(credentials.fields)).not.toContain("id_token")
    expect(JSON.stringify([credentials, { ...credentials }])).not.toContain("first-access")
    expect(inspect([credentials, { ...credentials }], { depth: 9 })).not.toContain("first-access")
  })
})
