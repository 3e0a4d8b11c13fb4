// A real authorization server behind a proxy that spoils its answers. No token is lost that could be kept, no refresh
// token is used twice except immediately after an unreadable answer, and no live connection is declared dead.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Connection, ConnectionHandle, OAuthProvider } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import { createAddresses, createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import type { Oidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import { alice } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { activate, storeGrant } from "../../src/vault/grants.ts"
import { connectionKind } from "../../src/vault/records.ts"
import { createVault } from "../../src/vault/vault.ts"
import { begin, createTools, granted, loopbackFetch, redeem } from "./oauth/setup.ts"
import type { Fault, FaultProxy } from "./providers/fault-proxy.ts"
import { after, before, startFaultProxy } from "./providers/fault-proxy.ts"

const hour = 3_600_000

interface Side {
  readonly proxy: FaultProxy
  readonly oidc: Oidc
  readonly provider: OAuthProvider
}

async function startSide(rotate: boolean): Promise<Side> {
  const proxy = await startFaultProxy()
  const oidc = await startOidc({ issuer: proxy.url, rotate, scopes: ["files", "mail"] })
  proxy.lead(oidc.address)
  const provider: OAuthProvider = {
    id: "real",
    name: "Real",
    kind: "oauth",
    api: [proxy.url],
    issuer: proxy.url,
    discovery: "oidc",
    client: { id: oidcClient.id, authentication: { method: "basic", secret: oidcClient.secret } },
    pkce: "S256",
    baseScopes: ["openid", "offline_access"],
    authorizationParameters: { prompt: "consent" },
    redirect: "context",
    identity: { from: "id_token", id: "sub", name: ["name"] },
    revocation: { by: "rfc7009" },
  }
  return { proxy, oidc, provider }
}

interface Scene {
  readonly clock: TestClock
  readonly handle: ConnectionHandle
  stored(): Promise<Connection>
  /** Calls the provider's API, which is real: 200 means that the token works there. */
  call(): Promise<number>
  /** The code of the error, or the status. */
  result(): Promise<string | number>
}

/** A real consent; then the token ends, by our clock. */
async function connectTo({ proxy, provider }: Side, options: { skewMs?: number } = {}): Promise<Scene> {
  const tools = createTools()
  const attempt = await begin(provider, ["files", "mail"], tools)
  const back = await openBrowser().follow(attempt.url, "https://hub.example")
  const credentials = granted(await redeem(provider, attempt, back, tools))

  const skewMs = options.skewMs ?? 0
  const clock = createTestClock(Date.now() + skewMs)
  const storage = createMemoryStorage()
  const questions = createHub({ storage, outlets: [inbox()], runtime: clock })
  const base = {
    storage,
    questions,
    sealer: createSealer(withNewKey()),
    apiFetch: loopbackFetch,
    addresses: createAddresses("https://hub.example"),
    report: () => {},
  }
  const vault = createVault({ ...base, providers: [provider], fetch: loopbackFetch, runtime: clock })
  const parts = { ...base, tools: { fetch: loopbackFetch, runtime: clock } }
  const issuedAt = credentials.issuedAt + skewMs
  const kept = { ...credentials, issuedAt, expiresAt: issuedAt + hour }
  const { id } = await storeGrant(parts, { owner: toOwner(alice), provider: "real", credentials: kept, by: alice })
  await activate(parts, id, { account: { id: "alice" }, by: alice })
  clock.set(clock.now() + hour)
  const handle = await vault.use(id)
  const call = async (): Promise<number> => (await handle.fetch(`${proxy.url}/me`)).status
  return {
    clock,
    handle,
    call,
    result: () => call().catch((error: { code: string }) => error.code),
    async stored() {
      const connection = await storage.records(connectionKind).get(id)
      if (connection === undefined) throw new Error("it is gone")
      return connection
    },
  }
}

let rotating: Side
let keeping: Side
beforeAll(async () => {
  rotating = await startSide(true)
  keeping = await startSide(false)
})
afterAll(async () => {
  for (const { proxy, oidc } of [rotating, keeping]) {
    await proxy.close()
    await oidc.close()
  }
})
beforeEach(() => {
  for (const { proxy } of [rotating, keeping]) {
    proxy.faults.length = 0
    proxy.refreshes.length = 0
    proxy.issuer = undefined
  }
})

/** No token reached the server twice. */
const reuses = ({ proxy }: Side): number => {
  const reached = proxy.refreshes.filter((one) => one.reached).map(({ token }) => token)
  return reached.length - new Set(reached).size
}

describe("an unreadable answer, while the server was never reached", () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ["a reset", before.reset],
    ["status 500", before.status(500)],
    ["a page with status 200", before.page],
    ["truncated JSON", before.truncated],
    ["a huge body", before.huge],
    ["a redirect", before.redirect("/elsewhere")],
  ]

  it.each(faults)("%s: is retried once immediately, without an error", async (_name, fault) => {
    const scene = await connectTo(rotating)
    rotating.proxy.faults.push(fault)
    expect(await scene.result()).toBe(200)
    expect(rotating.proxy.refreshes).toHaveLength(2)
    expect(reuses(rotating)).toBe(0)
  })

  it.each(faults)(
    "%s: twice, is reported as a temporary failure; the connection is kept and works again",
    async (_name, fault) => {
      const scene = await connectTo(rotating)
      rotating.proxy.faults.push(fault, fault)
      expect(await scene.result()).toBe("provider_unavailable")
      expect(await scene.stored()).toMatchObject({ status: "active", hasRefreshToken: true })
      scene.clock.set(scene.clock.now() + 60_000)
      expect(await scene.result()).toBe(200)
      expect(reuses(rotating)).toBe(0)
    },
  )

  verifies(
    "connection.only-the-provider-ends-it",
    "no answer: counts as unknown after ten seconds, twice, and the connection is kept",
    async () => {
      const scene = await connectTo(rotating)
      rotating.proxy.faults.push(before.hang, before.hang)
      const result = scene.result()
      await rotating.proxy.asked(1)
      await scene.clock.advance(10_000)
      await rotating.proxy.asked(2)
      await scene.clock.advance(10_000)
      expect(await result).toBe("provider_unavailable")
      scene.clock.set(scene.clock.now() + 60_000)
      expect(await scene.result()).toBe(200)
      expect(reuses(rotating)).toBe(0)
    },
  )

  it.each([503, 429])("status %i with Retry-After: is not retried before that time", async (status) => {
    const scene = await connectTo(rotating)
    rotating.proxy.faults.push(before.status(status, { "retry-after": "120" }))
    expect(await scene.result()).toBe("provider_unavailable")
    scene.clock.set(scene.clock.now() + 119_000)
    expect(await scene.result()).toBe("provider_unavailable")
    expect(rotating.proxy.refreshes).toHaveLength(1)
    scene.clock.set(scene.clock.now() + 1_000)
    expect(await scene.result()).toBe(200)
    expect(await scene.stored()).toMatchObject({ status: "active" })
  })
})

describe("an answer that is lost after the server has acted", () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ["a reset", after.reset],
    ["a body that breaks off", after.brokenOff],
    ["truncated JSON", after.truncated],
    ["a token of another type", after.edit({ token_type: "mac" })],
  ]

  it.each(faults)("%s: is requested again with the same token, which is still accepted", async (_name, fault) => {
    const scene = await connectTo(keeping)
    keeping.proxy.faults.push(fault)
    expect(await scene.result()).toBe(200)
    expect(keeping.proxy.refreshes).toHaveLength(2)
    expect(await scene.stored()).toMatchObject({ status: "active" })
  })

  it("no answer at all: is requested again with the same token, which is still accepted", async () => {
    const scene = await connectTo(keeping)
    keeping.proxy.faults.push(after.hang)
    const result = scene.result()
    await keeping.proxy.asked(1)
    await scene.clock.advance(10_000)
    expect(await result).toBe(200)
  })

  it.each(faults)(
    "%s: needs the owner when the server ends the grant for the reuse, and only because it says so",
    async (_name, fault) => {
      const scene = await connectTo(rotating)
      rotating.proxy.faults.push(fault)
      expect(await scene.result()).toBe("connection_needed")
      expect(await scene.stored()).toMatchObject({ status: "needs_reauth", reason: { code: "grant_ended" } })
      expect(rotating.oidc.tokenRequests.at(-1)).toMatchObject({ status: 400 })
      expect(reuses(rotating)).toBe(1)
    },
  )
})

describe("an unusual but valid answer", () => {
  it.each([
    ["no expires_in", { expires_in: undefined }, undefined],
    ["expires_in as text", { expires_in: "600" }, 600_000],
    ["expires_in of 0", { expires_in: 0 }, undefined],
    ["expires_in below 0", { expires_in: -5 }, undefined],
    ["expires_in in words", { expires_in: "soon" }, undefined],
  ])("%s: the tokens are kept and work, and the next refresh has the new token", async (_name, change, lifeMs) => {
    const scene = await connectTo(rotating)
    rotating.proxy.faults.push(after.edit(change))
    expect(await scene.result()).toBe(200)
    const { issuedAt, expiresAt } = await scene.stored()
    expect(expiresAt === undefined ? undefined : expiresAt - issuedAt).toBe(lifeMs)
    scene.clock.set(scene.clock.now() + hour)
    expect(await scene.result()).toBe(200)
    expect(reuses(rotating)).toBe(0)
  })

  it("no refresh token: the old one is kept", async () => {
    const scene = await connectTo(keeping)
    keeping.proxy.faults.push(after.edit({ refresh_token: undefined }))
    expect(await scene.result()).toBe(200)
    scene.clock.set(scene.clock.now() + hour)
    expect(await scene.result()).toBe(200)
    expect(new Set(keeping.proxy.refreshes.map(({ token }) => token)).size).toBe(1)
  })

  it("the same refresh token: is used again", async () => {
    const scene = await connectTo(keeping)
    for (let round = 0; round < 3; round++) {
      expect(await scene.result()).toBe(200)
      scene.clock.set(scene.clock.now() + hour)
    }
    expect(keeping.proxy.refreshes).toHaveLength(3)
  })

  it("a narrower scope: replaces the granted scopes, and does not end the connection", async () => {
    const scene = await connectTo(rotating)
    rotating.proxy.faults.push(after.edit({ scope: "openid files" }))
    expect(await scene.result()).toBe(200)
    expect(await scene.stored()).toMatchObject({ status: "active", scopes: ["openid", "files"] })
  })
})

describe("a server that has changed", () => {
  verifies(
    "provider.metadata-is-hostile",
    "another iss in its metadata: gets no refresh token, and the connection is kept",
    async () => {
      const scene = await connectTo(rotating)
      rotating.proxy.issuer = "https://evil.example"
      expect(await scene.result()).toBe("provider_unavailable")
      expect(rotating.proxy.refreshes).toEqual([])
      rotating.proxy.issuer = undefined
      scene.clock.set(scene.clock.now() + 60_000)
      expect(await scene.result()).toBe(200)
    },
  )

  it("a redirect of the token endpoint: is not followed, and its target gets no request", async () => {
    let visits = 0
    const other = createServer((_request, response) => {
      visits += 1
      response.end("{}")
    })
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const to = `http://127.0.0.1:${(other.address() as AddressInfo).port}/token`
    const scene = await connectTo(rotating)
    rotating.proxy.faults.push(before.redirect(to), before.redirect(to))
    expect(await scene.result()).toBe("provider_unavailable")
    expect(visits).toBe(0)
    expect(await scene.stored()).toMatchObject({ status: "active" })
    await new Promise((resolve) => other.close(resolve))
  })
})

describe("clocks that are five minutes apart", () => {
  it.each([5 * 60_000, -5 * 60_000])("%i ms: tokens are refreshed, used and refreshed again", async (skewMs) => {
    const scene = await connectTo(rotating, { skewMs })
    for (let round = 0; round < 3; round++) {
      expect(await scene.result()).toBe(200)
      expect(await scene.result()).toBe(200)
      scene.clock.set(scene.clock.now() + hour)
    }
    expect(rotating.proxy.refreshes).toHaveLength(3)
    expect(reuses(rotating)).toBe(0)
    expect(await scene.stored()).toMatchObject({ status: "active" })
  })
})

it("many callers during faults share each refresh, and each refresh token reaches the server once", async () => {
  const scene = await connectTo(rotating)
  for (let round = 0; round < 5; round++) {
    rotating.proxy.faults.push(before.page)
    expect(await Promise.all(Array.from({ length: 20 }, scene.result))).toEqual(Array.from({ length: 20 }, () => 200))
    scene.clock.set(scene.clock.now() + hour)
  }
  expect(rotating.proxy.refreshes).toHaveLength(10)
  expect(reuses(rotating)).toBe(0)
})
