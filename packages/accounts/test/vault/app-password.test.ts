// Old app passwords are replaced at their next use: once, even when several calls use them, and a login that works is
// never lost.

import type { Connection, Fetch, LoginFlowProvider } from "@holdpoint/accounts"
import { createGuardedFetch, metadataLimits } from "@holdpoint/accounts"
import { alice } from "@holdpoint/testkit/fixtures"
import { createFakeNextcloud, type FakeNextcloud } from "@holdpoint/testkit/nextcloud/server"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { apiKeyKind, basicKind } from "../../src/vault/entered-credentials.ts"
import { activate, storeGrant } from "../../src/vault/grants.ts"
import { loginFlowKind } from "../../src/vault/login-flow.ts"
import { oauthKind } from "../../src/vault/oauth/kind.ts"
import { defineProvider } from "../../src/vault/presets/define.ts"
import { nextcloudLogin } from "../../src/vault/presets/nextcloud.ts"
import { gate, need, type Setup, setUp } from "./scripted.ts"

const guarded = createGuardedFetch({ ...metadataLimits, timeoutMs: 2_000, allowLoopback: true })
const kinds = {
  oauth: oauthKind,
  mcp_server: oauthKind as never,
  login_flow: loginFlowKind,
  api_key: apiKeyKind,
  basic: basicKind,
}
const day = 24 * 3_600_000
const rotation = "/ocs/v2.php/core/apppassword/rotate"

let nextcloud: FakeNextcloud
let hub: Setup
let connection: Connection
/** Between the vault and the server. */
let between: { own: Fetch; calls: Fetch }

beforeEach(async () => {
  nextcloud = await createFakeNextcloud({ now: () => hub.clock.now() })
  between = { own: guarded, calls: guarded }
  const fetch: Fetch = (input, init) => between.own(input, init)
  const apiFetch: Fetch = (input, init) => between.calls(input, init)
  hub = setUp({ kinds, fetch, apiFetch, providers: [toProvider()] })
  connection = await connected()
})
afterEach(() => nextcloud.close())

/** As the preset has it, but for the address, which is on this machine. */
function toProvider(): LoginFlowProvider {
  const { url } = nextcloud
  return { ...nextcloudLogin({ server: "https://cloud.example" }), server: url, api: [new URL(url).origin] }
}

async function connected(): Promise<Connection> {
  const started = await fetch(`${nextcloud.url}/index.php/login/v2`, { method: "POST" })
  const { login } = (await started.json()) as { login: string }
  nextcloud.grant(login, "alice")
  const fields = { login_name: "alice", app_password: secret(), server: nextcloud.url }
  const credentials = { fields, scopes: ["files"], issuedAt: hub.clock.now() }
  const given = { owner: need.owner, provider: "nextcloud", credentials, by: alice }
  const pending = await storeGrant(hub.parts, given)
  return activate(hub.parts, pending.id, { account: { id: "alice" }, by: alice })
}

/** Moves the clock without running timers, as on a machine that sleeps. */
const pass = (ms: number): void => hub.clock.set(hub.clock.now() + ms)

const secret = (): string => nextcloud.access("alice")[0]?.secret ?? ""
const rotations = (): number => nextcloud.requests.filter((line) => line === `POST ${rotation}`).length
const refreshed = async (): Promise<number> =>
  (await hub.trailOf(connection.id)).filter(({ kind }) => kind === "refreshed").length

const use = async (vault = hub.vault): Promise<number> => {
  const handle = await vault.use(connection.id)
  return (await handle.fetch(`${nextcloud.url}/ocs/v2.php/cloud/user?format=json`)).status
}

describe("an app password", () => {
  it("cannot be configured to rotate so often that rotations overlap", () => {
    const { server: _server, ...provider } = toProvider()
    const hasty = { ...provider, api: ["https://cloud.example"], server: "https://cloud.example", rotateAfterMs: 5_000 }
    expect(() => defineProvider(hasty)).toThrow(/rotateAfterMs/)
    expect(defineProvider({ ...hasty, rotateAfterMs: 60_000 }).rotateAfterMs).toBe(60_000)
  })

  it("is not rotated before thirty days have passed", async () => {
    pass(30 * day - 1)
    expect(await use()).toBe(200)
    expect(rotations()).toBe(0)
  })

  verifies(
    "connection.app-password-rotates",
    "is rotated once for 20 callers on two nodes, who all continue with the new password",
    async () => {
      const old = secret()
      pass(30 * day)
      const other = hub.another()
      const callers = Array.from({ length: 20 }, async (_, number) => {
        const handle = await (number % 2 === 0 ? hub.vault : other).use(connection.id)
        return handle.credentials()
      })
      const got = (await Promise.all(callers)).map(({ fields }) => fields.app_password)
      expect(new Set(got)).toEqual(new Set([secret()]))
      expect(secret()).not.toBe(old)
      expect(rotations()).toBe(1)
      expect(await refreshed()).toBe(1)
      expect(await hub.stored(connection.id)).toMatchObject({ status: "active", issuedAt: hub.clock.now() })
      await other.close()
    },
  )

  it("is rotated again after thirty more days, and not before", async () => {
    pass(30 * day)
    await use()
    pass(30 * day - 1)
    await use()
    expect(rotations()).toBe(1)
    pass(1)
    expect(await use()).toBe(200)
    expect(rotations()).toBe(2)
  })

  it("keeps its owner, account and scopes when it is rotated", async () => {
    pass(30 * day)
    await use()
    const { owner, account, scopes } = connection
    expect(await hub.stored(connection.id)).toMatchObject({ owner, account, scopes })
  })

  const status = (code: number) => () => ({ status: code, body: "<h1>Sorry</h1>" })
  it.each([
    ["an error", status(500)],
    ["an outage", status(503)],
    ["a page", status(200)],
    ["a proxy's own refusal", status(403)],
    ["a reset", () => "reset" as const],
  ])("stays unchanged and usable after %s, and is rotated when the server works again", async (_what, fail) => {
    const old = secret()
    pass(30 * day)
    nextcloud.switches.intercept = (_method, path) => (path === rotation ? fail() : undefined)
    expect(await use()).toBe(200)
    expect(secret()).toBe(old)
    expect(await hub.stored(connection.id)).toMatchObject({ status: "active", issuedAt: connection.issuedAt })
    expect(await refreshed()).toBe(0)
    delete nextcloud.switches.intercept
    await hub.clock.advance(60_000)
    expect(await use()).toBe(200)
    expect(secret()).not.toBe(old)
    expect(await refreshed()).toBe(1)
  })

  it("that the server refuses to rotate stays usable, and this node does not try again", async () => {
    pass(30 * day)
    const body = JSON.stringify({ ocs: { meta: { status: "failure", statuscode: 403 }, data: [] } })
    const refusal = { status: 403, headers: { "content-type": "application/json" }, body }
    nextcloud.switches.intercept = (_method, path) => (path === rotation ? refusal : undefined)
    expect([await use(), await use()]).toEqual([200, 200])
    pass(3_600_000)
    expect(await use()).toBe(200)
    expect(rotations()).toBe(1)
    expect((await hub.stored(connection.id)).status).toBe("active")
  })

  it("whose replacement was lost in transit is rotated again immediately, while it still works", async () => {
    pass(30 * day)
    let lost = 0
    between.own = async (input, init) => {
      const answer = await guarded(input, init)
      if (String(input).includes(rotation) && lost++ === 0) throw new TypeError("terminated")
      return answer
    }
    expect(await use()).toBe(200)
    expect(rotations()).toBe(2)
    await hub.clock.advance(12_000)
    expect(await use()).toBe(200)
    expect((await hub.stored(connection.id)).status).toBe("active")
  })

  it("that the person removed ends the connection, with the reason recorded", async () => {
    const [access] = nextcloud.access("alice")
    pass(30 * day)
    await fetch(`${nextcloud.url}/ocs/v2.php/core/apppassword`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${access?.secret}`, "ocs-apirequest": "true" },
    })
    await expect(use()).rejects.toMatchObject({ code: "connection_needed" })
    const { status, reason } = await hub.stored(connection.id)
    expect({ status, code: reason?.code }).toEqual({ status: "needs_reauth", code: "credentials_refused" })
  })
})

describe("a call that is under way while the app password is rotated", () => {
  it.each([
    ["soon after", 0],
    ["long after", 60_000],
  ])("succeeds when it reaches the server %s", async (_when, laterMs) => {
    const release = gate<void>()
    const left = gate<void>()
    between.calls = async (input, init) => {
      between.calls = guarded
      left.resolve()
      await release.promise
      return guarded(input, init)
    }
    pass(30 * day - 1)
    const under = use()
    await left.promise
    pass(1)
    expect(await use()).toBe(200)
    expect(rotations()).toBe(1)
    await hub.clock.advance(laterMs)
    release.resolve()
    expect(await under).toBe(200)
    expect(rotations()).toBe(1)
  })
})
