// Nextcloud's login flow v2 and its app passwords, against the fake that answers as a real one was recorded.

import type { LoginFlowProvider } from "@holdpoint/accounts"
import { createGuardedFetch, metadataLimits } from "@holdpoint/accounts"
import { createTestClock } from "@holdpoint/testing"
import { createFakeNextcloud, type FakeNextcloud } from "@holdpoint/testkit/nextcloud/server"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { SecretFields } from "../../src/vault/kind.ts"
import { loginFlowKind, pollLoginFlow, rotateAppPassword, startLoginFlow } from "../../src/vault/login-flow.ts"

const fetch = createGuardedFetch({ ...metadataLimits, timeoutMs: 2_000, allowLoopback: true })

let nextcloud: FakeNextcloud
let provider: LoginFlowProvider
let runtime = createTestClock()
const tools = { fetch, runtime: { ...runtime, now: () => runtime.now() } }

beforeEach(() => open(""))
afterEach(() => nextcloud.close())

async function open(path: string): Promise<void> {
  runtime = createTestClock()
  nextcloud = await createFakeNextcloud({ path, now: () => runtime.now() })
  provider = {
    kind: "login_flow",
    id: "nextcloud",
    name: "Nextcloud",
    server: nextcloud.url,
    api: [new URL(nextcloud.url).origin],
  }
}

async function start() {
  const started = await startLoginFlow(provider, "Holdpoint", tools)
  if (started.kind !== "started") return expect.fail(started.reason.message)
  return { login: started.login, endpoint: started.endpoint, token: started.secrets.poll_token }
}

async function connect(user = "alice"): Promise<SecretFields> {
  const { login, ...poll } = await start()
  nextcloud.grant(login, user)
  const polled = await pollLoginFlow(provider, poll, tools)
  return polled.kind === "granted" ? polled.credentials.fields : expect.fail(polled.kind)
}

const html = { status: 200, headers: { "content-type": "text/html" }, body: "<html>canary</html>" }
const truncated = { status: 200, headers: { "content-type": "application/json" }, body: '{"ocs":{"data":{"id":"al' }
const proxy = (status: number) => ({ status, headers: { "content-type": "text/html" }, body: "<h1>Sign in</h1>" })

describe("a login flow", () => {
  verifies("consent.login-flow", "starts under our name, and grants once after the person said yes", async () => {
    const { login, ...poll } = await start()
    expect(login).toMatch(`${nextcloud.url}/login/v2/flow/`)
    expect(await pollLoginFlow(provider, poll, tools)).toEqual({ kind: "waiting" })
    nextcloud.grant(login, "alice")
    const polled = await pollLoginFlow(provider, poll, tools)
    const [access] = nextcloud.access("alice")
    const fields = { login_name: "alice", app_password: access?.secret, server: nextcloud.url }
    expect(polled).toEqual({ kind: "granted", credentials: { fields, scopes: [], issuedAt: runtime.now() } })
    expect(access?.name).toBe("Holdpoint")
    expect(await pollLoginFlow(provider, poll, tools)).toEqual({ kind: "waiting" })
  })

  it("works for a server in a folder, with or without index.php and slashes at the end", async () => {
    await nextcloud.close()
    await open("/cloud")
    for (const server of [nextcloud.url, `${nextcloud.url}/`, `${nextcloud.url}/index.php/`]) {
      provider = { ...provider, server }
      expect((await start()).endpoint).toBe(`${nextcloud.url}/login/v2/poll`)
    }
    expect((await connect()).server).toBe(nextcloud.url)
  })

  it.each([
    ["another host", "https://evil.example"],
    ["another port", "http://127.0.0.1:1"],
    ["another scheme", "https://127.0.0.1"],
    ["a look-alike", "http://127.0.0.1.evil.example"],
    ["a script", "javascript://127.0.0.1"],
  ])("does not start when the server sends people to %s", async (_what, address) => {
    nextcloud.switches.address = address
    const started = await startLoginFlow(provider, "Holdpoint", tools)
    expect(started).toMatchObject({ kind: "unavailable", reason: { code: "foreign_address" } })
  })

  it.each([
    ["outside its folder", (url: string) => new URL(url).origin],
    ["beside its folder", (url: string) => `${url}-evil`],
    ["up from its folder", (url: string) => `${url}/..`],
    ["with a user name before it", (url: string) => url.replace("://", "://someone@")],
  ])("does not start when the server sends people %s", async (_where, move) => {
    await nextcloud.close()
    await open("/cloud")
    nextcloud.switches.address = move(nextcloud.url)
    expect(await startLoginFlow(provider, "Holdpoint", tools)).toMatchObject({ reason: { code: "foreign_address" } })
  })

  it.each(["login", "endpoint"])("does not start when only its %s is on another host", async (which) => {
    const elsewhere = "https://evil.example/login/v2"
    const own = `${nextcloud.url}/login/v2`
    const poll = { token: "t", endpoint: which === "endpoint" ? elsewhere : own }
    const body = JSON.stringify({ poll, login: which === "login" ? elsewhere : own })
    nextcloud.switches.intercept = () => ({ status: 200, body })
    expect(await startLoginFlow(provider, "Holdpoint", tools)).toMatchObject({ reason: { code: "foreign_address" } })
  })

  it("is named Holdpoint in the person's settings, whatever the User-Agent of the requests", async () => {
    const other = createGuardedFetch({ ...metadataLimits, allowLoopback: true, userAgent: "other" })
    const started = await startLoginFlow(provider, "Holdpoint", { ...tools, fetch: other })
    if (started.kind === "started") nextcloud.grant(started.login, "bob")
    expect(nextcloud.access("bob").map(({ name }) => name)).toEqual(["Holdpoint"])
  })

  verifies("consent.login-flow", "throws away a login for another server, and sends it nowhere", async () => {
    const { login, ...poll } = await start()
    nextcloud.grant(login, "alice")
    nextcloud.switches.address = "https://evil.example"
    const before = nextcloud.requests.length
    const polled = await pollLoginFlow(provider, poll, tools)
    expect(polled).toMatchObject({ kind: "refused", reason: { code: "foreign_server" } })
    expect(nextcloud.requests.length).toBe(before + 1)
  })

  it("does not send its token to an address that is not the server's", async () => {
    const { token } = await start()
    const before = nextcloud.requests.length
    for (const endpoint of ["https://evil.example/login/v2/poll", "not an address"])
      expect(await pollLoginFlow(provider, { endpoint, token }, tools)).toMatchObject({ kind: "refused" })
    expect(nextcloud.requests.length).toBe(before)
  })

  it("waits for maintenance to end, as long as the server says", async () => {
    const { login: _login, ...poll } = await start()
    nextcloud.switches.maintenance = true
    expect(await startLoginFlow(provider, "Holdpoint", tools)).toMatchObject({
      kind: "unavailable",
      retryAfterMs: 120_000,
    })
    expect(await pollLoginFlow(provider, poll, tools)).toMatchObject({ kind: "unavailable", retryAfterMs: 120_000 })
    nextcloud.switches.maintenance = false
    expect(await pollLoginFlow(provider, poll, tools)).toEqual({ kind: "waiting" })
  })

  it.each([
    ["too many requests", { status: 429 }],
    ["an error", { status: 500 }],
    ["a page", html],
    ["half an answer", truncated],
    ["a redirect", { status: 302, headers: { location: "https://evil.example/" } }],
    ["a proxy's login", proxy(401)],
    ["a reset", "reset"],
  ] as const)("keeps waiting after %s, and repeats nothing of that answer", async (_what, instead) => {
    const { login: _login, ...poll } = await start()
    nextcloud.switches.intercept = () => instead
    const polled = await pollLoginFlow(provider, poll, tools)
    expect(polled.kind).toBe("unavailable")
    expect((await startLoginFlow(provider, "Holdpoint", tools)).kind).toBe("unavailable")
    expect(JSON.stringify(polled)).not.toMatch(new RegExp(`canary|${poll.token}`))
  })

  it("reports that a server is not a Nextcloud", async () => {
    nextcloud.switches.intercept = () => proxy(404)
    expect(await startLoginFlow(provider, "Holdpoint", tools)).toMatchObject({ reason: { code: "not_nextcloud" } })
  })
})

describe("an app password", () => {
  const identify = (fields: SecretFields) => loginFlowKind.identify(provider, fields, tools)
  const revoke = (fields: SecretFields) => loginFlowKind.revoke(provider, fields, tools)

  it("is sent as HTTP Basic, with the OCS-APIRequest header", () => {
    const fields = { login_name: "älice", app_password: "päss" }
    expect(loginFlowKind.authorize(provider, fields)).toEqual({
      authorization: `Basic ${Buffer.from("älice:päss", "utf8").toString("base64")}`,
      "ocs-apirequest": "true",
    })
  })

  it("identifies its account, by name and server", async () => {
    const name = `Bob Example (bob@${new URL(nextcloud.url).host})`
    const account = { id: "bob", name }
    expect(await identify(await connect("bob"))).toEqual({ kind: "known", account, email: "bob@example.org" })
  })

  it("has nothing to refresh", async () => {
    expect(await loginFlowKind.refresh(provider, await connect(), tools)).toEqual({ kind: "nothing" })
  })

  it("is refused when it was removed, and when the account is disabled", async () => {
    const fields = await connect()
    nextcloud.switches.disabled.add("alice")
    expect(await identify(fields)).toMatchObject({ kind: "refused", reason: { code: "credentials_refused" } })
    nextcloud.switches.disabled.clear()
    expect((await identify(fields)).kind).toBe("known")
    await revoke(fields)
    expect((await identify(fields)).kind).toBe("refused")
  })

  it.each([
    ["throttled", () => Object.assign(nextcloud.switches, { throttled: true })],
    ["in maintenance", () => Object.assign(nextcloud.switches, { maintenance: true })],
    ["behind a page", () => Object.assign(nextcloud.switches, { intercept: () => html })],
    ["cut short", () => Object.assign(nextcloud.switches, { intercept: () => truncated })],
    [
      "behind a proxy that asks for its own login",
      () => Object.assign(nextcloud.switches, { intercept: () => proxy(401) }),
    ],
    ["behind a proxy that forbids it", () => Object.assign(nextcloud.switches, { intercept: () => proxy(403) })],
    ["gone", () => Object.assign(nextcloud.switches, { intercept: () => "reset" })],
  ])("is neither dead nor deleted while the server is %s", async (_how, fail) => {
    const fields = await connect()
    fail()
    expect((await identify(fields)).kind).toBe("unavailable")
    expect((await revoke(fields)).kind).toBe("later")
    expect((await rotateAppPassword(provider, fields, tools)).kind).toBe("unknown")
    Object.assign(nextcloud.switches, { throttled: false, maintenance: false, intercept: undefined })
    expect((await identify(fields)).kind).toBe("known")
  })

  it("is deleted on the server, and a repeated deletion succeeds too", async () => {
    const fields = await connect()
    expect(await revoke(fields)).toEqual({ kind: "revoked" })
    expect(nextcloud.access("alice")).toEqual([])
    expect(await revoke(fields)).toEqual({ kind: "revoked" })
  })

  it("that is the person's own password is not deleted, and counts as revoked", async () => {
    const fields = { login_name: "alice", app_password: "alice-Pass-2026", server: nextcloud.url }
    expect(await revoke(fields)).toEqual({ kind: "revoked" })
  })

  it("is rotated: the new one works, the old one for ten seconds more", async () => {
    const fields = await connect()
    const rotated = await rotateAppPassword(provider, fields, tools)
    if (rotated.kind !== "refreshed") return expect.fail(rotated.kind)
    const next = rotated.credentials.fields
    expect(next).toEqual({ ...fields, app_password: nextcloud.access("alice")[0]?.secret })
    expect(next.app_password).not.toBe(fields.app_password)
    expect((await identify(fields)).kind).toBe("known")
    await runtime.advance(12_000)
    expect((await identify(fields)).kind).toBe("refused")
    expect((await identify(next)).kind).toBe("known")
  })

  it("can be rotated again when the answer was lost", async () => {
    const fields = await connect()
    await rotateAppPassword(provider, fields, tools)
    expect((await rotateAppPassword(provider, fields, tools)).kind).toBe("refreshed")
  })

  it("that was removed cannot be rotated", async () => {
    const fields = await connect()
    await revoke(fields)
    expect((await rotateAppPassword(provider, fields, tools)).kind).toBe("dead")
  })
})
