// A person signs in at the stand-in and grants access, page by page, in every installation layout.

import { createHash } from "node:crypto"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { afterEach, describe, expect, it } from "vitest"
import { type RunningStandIn, type StandInOptions, startStandIn } from "../src/index.ts"
import { createVisitor } from "./visitor.ts"

let cloud: RunningStandIn
afterEach(() => cloud.close())

async function start(options: StandInOptions = {}): Promise<RunningStandIn> {
  cloud = await startStandIn({ ...options, onSecret: ({ kind, value }) => noteCanary(kind, value) })
  return cloud
}

interface Flow {
  readonly poll: { readonly token: string; readonly endpoint: string }
  readonly login: string
}

async function begin(): Promise<Flow> {
  const headers = { "user-agent": "Holdpoint <test>" }
  const response = await fetch(`${cloud.url}/index.php/login/v2`, { method: "POST", headers })
  return (await response.json()) as Flow
}

const poll = ({ poll: { token, endpoint } }: Flow): Promise<Response> =>
  fetch(endpoint, { method: "POST", body: new URLSearchParams({ token }) })

/** Goes through all pages as this user, and returns the response of the poll. */
async function grantAs(user: string, flow: Flow) {
  const person = createVisitor()
  const landing = await person.open(flow.login)
  expect(landing.heading).toBe("Connect to your account")
  expect(landing.body).toContain("<strong>Holdpoint &#60;test&#62;</strong>")
  expect((await person.press("Log in")).heading).toBe("Login – Nextcloud")
  const asked = await person.press("Log in", { user, password: `${user}-Pass-2026` })
  expect(asked.heading).toBe("Account access")
  expect((await person.press("Grant access")).body).toContain("Your client should now be connected")
  const answer = await poll(flow)
  expect(answer.status).toBe(200)
  return (await answer.json()) as { server: string; loginName: string; appPassword: string }
}

async function whoIs(login: string, secret: string): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${login}:${secret}`).toString("base64")}`
  const headers = { authorization, "ocs-apirequest": "true" }
  const response = await fetch(`${cloud.url}/ocs/v2.php/cloud/user?format=json`, { headers })
  const { ocs } = (await response.json()) as { ocs: { data: { id?: string } } }
  return ocs.data.id ?? response.status
}

describe("login flow v2", () => {
  it("works through its forms: log in, grant access, and the poll returns an app password once", async () => {
    await start()
    const flow = await begin()
    expect((await poll(flow)).status).toBe(404)
    const { server, loginName, appPassword } = await grantAs("alice", flow)
    expect([server, loginName]).toEqual([cloud.url, "alice"])
    expect((await poll(flow)).status).toBe(404)
    expect(await whoIs(loginName, appPassword)).toBe("alice")
    expect(cloud.access("alice").map(({ name }) => name)).toEqual(["Holdpoint <test>"])
  })

  it("returns the login name, which with LDAP differs from the id", async () => {
    await start()
    const { loginName, appPassword } = await grantAs("dora", await begin())
    expect(loginName).toBe("dora")
    expect(await whoIs("dora", appPassword)).toBe("ldap-7f3a")
  })

  it("works in a subfolder: every address is below it, and nothing answers above it", async () => {
    await start({ path: "/cloud" })
    const flow = await begin()
    expect(flow.login).toMatch(new RegExp(`^${cloud.url}/login/v2/flow/\\w{128}$`))
    expect(cloud.url).toMatch(/\/cloud$/)
    expect((await grantAs("bob", flow)).server).toBe(cloud.url)
    expect((await fetch(new URL("/status.php", cloud.url))).status).toBe(404)
  })

  it("works without pretty addresses: all have /index.php, and others are not found", async () => {
    await start({ pretty: false })
    const flow = await begin()
    expect(flow.login.startsWith(`${cloud.url}/index.php/login/v2/flow/`)).toBe(true)
    expect(flow.poll.endpoint).toBe(`${cloud.url}/index.php/login/v2/poll`)
    const { appPassword } = await grantAs("alice", flow)
    const authorization = `Basic ${Buffer.from(`alice:${appPassword}`).toString("base64")}`
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(`${cloud.url}${path}`, { headers: { authorization } })).status
    expect(await statusOf("/apps/notes/api/v1/notes")).toBe(404)
    expect(await statusOf("/index.php/apps/notes/api/v1/notes")).toBe(200)
    expect(await statusOf("/status.php")).toBe(200)
    expect(cloud.requests.at(-1)).toBe("GET /status.php")
  })

  it("grants with one button, labelled as a stand-in's, only where that is switched on", async () => {
    await start({ grantButtons: true })
    const [flow, other] = [await begin(), await begin()]
    const person = createVisitor()
    const asked = await person.open(flow.login)
    expect(asked.heading).toBe("Connect to your account")
    expect(asked.body).toContain("<strong>Holdpoint &#60;test&#62;</strong>")
    expect(asked.body).toContain("This is a stand-in.")
    expect(asked.body).toContain("Grant access as alice")
    expect((await person.press("Grant access as bob", { user: "admin" })).status).toBe(404)
    await person.open(flow.login)
    expect((await person.press("Grant access as bob", { user: "bob" })).heading).toBe("Account connected")
    expect(await (await poll(flow)).json()).toMatchObject({ loginName: "bob" })

    const forger = createVisitor()
    await forger.open(other.login)
    expect((await forger.press("Grant access as bob", { user: "bob", requesttoken: "forged" })).status).toBe(412)
    await forger.open(other.login)
    expect((await forger.press("Grant access as bob", { user: "bob", stateToken: "forged" })).status).toBe(403)
    expect((await poll(other)).status).toBe(404)

    await cloud.close()
    await start()
    const address = `${cloud.url}/index.php/login/v2/grant-at-once`
    expect((await fetch(address, { method: "POST", body: new URLSearchParams({ user: "bob" }) })).status).toBe(404)
  })

  it("reports a wrong password, keeps the redirect, and lists passwords only when configured", async () => {
    await start()
    const person = createVisitor()
    await person.open((await begin()).login)
    expect((await person.press("Log in")).body).not.toContain("Pass-2026")
    const again = await person.press("Log in", { user: "alice", password: "wrong" })
    expect(again.body).toContain('role="alert"')
    expect((await person.press("Log in", { user: "alice", password: "alice-Pass-2026" })).heading).toBe(
      "Account access",
    )
    await cloud.close()
    await start({ hints: true })
    expect((await person.open(`${cloud.url}/index.php/login`)).body).toContain("<code>bob-Pass-2026</code>")
  })

  it("never redirects to another server after signing in", async () => {
    await start()
    const person = createVisitor()
    await person.open(`${cloud.url}/index.php/login?redirect_url=${encodeURIComponent("//evil.example/")}`)
    const arrived = await person.press("Log in", { user: "alice", password: "alice-Pass-2026" })
    expect(new URL(arrived.url).host).toBe(new URL(cloud.url).host)
  })
})

describe("core OAuth 2", () => {
  it("sends the browser back to the registered address with a code that can be redeemed once", async () => {
    await start({ path: "/cloud" })
    const client = cloud.registerClient("Holdpoint", `${cloud.url}/status.php`)
    const query = new URLSearchParams({ response_type: "code", client_id: client.clientId, state: "ü 1" })
    const person = createVisitor()
    await person.open(`${cloud.url}/index.php/apps/oauth2/authorize?${query}`)
    await person.press("Log in")
    await person.press("Log in", { user: "alice", password: "alice-Pass-2026" })
    const back = new URL((await person.press("Grant access")).url).searchParams
    expect(back.get("state")).toBe("ü 1")
    const body = new URLSearchParams({ grant_type: "authorization_code", code: back.get("code") ?? "" })
    const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString("base64")}`
    const ask = () =>
      fetch(`${cloud.url}/index.php/apps/oauth2/api/v1/token`, { method: "POST", headers: { authorization }, body })
    expect(await (await ask()).json()).toMatchObject({ token_type: "Bearer", expires_in: 3600, user_id: "alice" })
    expect((await ask()).status).toBe(400)
  })
})

describe("OpenID Connect", () => {
  it("redirects the browser with a code for tokens, once the person has signed in", async () => {
    await start()
    const client = cloud.registerOidcClient({ name: "Holdpoint", redirectUris: [`${cloud.url}/status.php`] })
    const verifier = "v".repeat(43)
    const query = new URLSearchParams({
      response_type: "code",
      client_id: client.id,
      redirect_uri: `${cloud.url}/status.php`,
      scope: "openid offline_access",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    })
    const person = createVisitor()
    await person.open(`${cloud.url}/index.php/apps/oidc/authorize?${query}`)
    const back = await person.press("Log in", { user: "alice", password: "alice-Pass-2026" })
    const code = new URL(back.url).searchParams.get("code") ?? ""
    const fields = { grant_type: "authorization_code", code, code_verifier: verifier }
    const answer = await fetch(`${cloud.url}/index.php/apps/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}` },
      body: new URLSearchParams(fields),
    })
    expect(await answer.json()).toMatchObject({ token_type: "Bearer", expires_in: 900, refresh_expires_in: 900 })
  })
})
