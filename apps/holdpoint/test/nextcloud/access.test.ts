// Accounts connected with a client that an administrator registered: the core's OAuth 2, and Nextcloud's own OpenID Connect
// provider.

import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { systemRuntime } from "@holdpoint/hub"
import type { RunningStandIn } from "@holdpoint/nextcloud-stand-in"
import { oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { freePort } from "@holdpoint/testkit/free-port"
import { describe, expect, it, onTestFinished } from "vitest"
import { createProgram, type Program } from "../authorization/scene.ts"
import { connectAs, createVisitor, run, sendTo, serve, startCloud, titlesIn, visiting } from "./stage.ts"

const redirectUri = "http://127.0.0.1:43117/callback"
const listNotes = { name: "nc_notes_list_notes", arguments: {} }

async function startPeople() {
  const people = await startOidc()
  onTestFinished(() => people.close())
  const env = {
    OIDC_DISCOVERY_URL: people.issuer,
    OIDC_CLIENT_ID: oidcClient.id,
    OIDC_CLIENT_SECRET: oidcClient.secret,
  }
  return { people, env }
}

const tokenRequests = ({ requests }: RunningStandIn): readonly string[] =>
  requests.filter((line) => /^POST .*\/(oauth2\/api\/v1|oidc)\/token$/.test(line))

describe("access by the core's OAuth 2", { timeout: 20_000 }, () => {
  it("is granted at Nextcloud, returns to its own address, and is refreshed before it expires", async () => {
    let aheadMs = 0
    const now = (): number => Date.now() + aheadMs
    const cloud = await startCloud({ now })
    const { people, env } = await startPeople()
    const client = cloud.registerClient("tools", "http://127.0.0.1:9/later")
    const served = await serve(
      cloud,
      { ...env, NEXTCLOUD_OAUTH_CLIENT_ID: client.clientId, NEXTCLOUD_OAUTH_CLIENT_SECRET: client.clientSecret },
      { runtime: { ...systemRuntime, now } },
    )
    people.allowRedirect(`${served.publicUrl}/signin/callback`)
    Object.assign(client, { redirectUri: `${served.publicUrl}/oauth/callback/nextcloud` })
    const program = await connectAs(served.mcp, createProgram(undefined, redirectUri), visiting)
    const visitor = createVisitor(cloud, "alice")
    const visits = sendTo(program, visitor.connect)
    expect(titlesIn(await program.callTool(listNotes))).not.toEqual([])
    expect(await visits[0]).toContain(`>Alice Example (alice@${new URL(cloud.url).host})<`)
    expect(visitor.asked[0]?.pathname).toBe("/index.php/apps/oauth2/authorize")
    expect(Object.fromEntries(visitor.asked[0]?.searchParams ?? [])).toMatchObject({
      ...{ client_id: client.clientId, response_type: "code", state: expect.any(String) },
    })
    expect(tokenRequests(cloud)).toHaveLength(1)
    aheadMs = 3_590_000
    expect(titlesIn(await program.callTool(listNotes))).not.toEqual([])
    expect(tokenRequests(cloud)).toHaveLength(2)
  })

  it("redirects to ELICITATION_CALLBACK_URL when it is set", async () => {
    const cloud = await startCloud()
    const { people, env } = await startPeople()
    const port = await freePort()
    const callback = `http://127.0.0.1:${port}/from/nextcloud`
    const client = cloud.registerClient("tools", callback)
    const served = await serve(
      cloud,
      {
        ...{ ...env, NEXTCLOUD_OAUTH_CLIENT_ID: client.clientId, NEXTCLOUD_OAUTH_CLIENT_SECRET: client.clientSecret },
        ELICITATION_CALLBACK_URL: callback,
      },
      { port },
    )
    people.allowRedirect(`${served.publicUrl}/signin/callback`)
    const program = await connectAs(served.mcp, createProgram(undefined, redirectUri), visiting)
    const visitor = createVisitor(cloud, "alice")
    sendTo(program, visitor.connect)
    expect(titlesIn(await program.callTool(listNotes))).not.toEqual([])
    expect(visitor.asked[0]?.searchParams.get("redirect_uri")).toBe(callback)
  })
})

describe("access by Nextcloud's own provider", { timeout: 20_000 }, () => {
  it("requests offline access with PKCE, and refreshes tokens before they expire", async () => {
    let aheadMs = 0
    const now = (): number => Date.now() + aheadMs
    const cloud = await startCloud({ now })
    const client = cloud.registerOidcClient({ name: "tools", redirectUris: [] })
    const env = { OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret }
    const served = await serve(cloud, env, { runtime: { ...systemRuntime, now } })
    client.redirectUris = [`${served.publicUrl}/signin/callback`, `${served.publicUrl}/oauth/callback/nextcloud`]
    const visitor = createVisitor(cloud, "alice")
    const program = await connectThrough(served.mcp, visitor)
    visitor.asked.splice(0)
    sendTo(program, visitor.connect)
    expect(titlesIn(await program.callTool(listNotes))).not.toEqual([])
    const asked = Object.fromEntries(visitor.asked[0]?.searchParams ?? [])
    expect(asked).toMatchObject({
      ...{ client_id: client.id, response_type: "code", code_challenge_method: "S256", nonce: expect.any(String) },
      redirect_uri: `${served.publicUrl}/oauth/callback/nextcloud`,
    })
    expect(asked.scope?.split(" ")).toEqual(expect.arrayContaining(["openid", "offline_access"]))
    const before = tokenRequests(cloud).length
    aheadMs = 860_000
    expect(titlesIn(await program.callTool(listNotes))).not.toEqual([])
    expect(tokenRequests(cloud)).toHaveLength(before + 1)
  })
})

describe("a Nextcloud that refuses the tokens of its own provider", { timeout: 20_000 }, () => {
  it("is detected at the end of the consent, and the page says what to enable there", async () => {
    const cloud = await startCloud()
    const client = cloud.registerOidcClient({ name: "tools", redirectUris: [] })
    const served = await serve(cloud, { OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret })
    client.redirectUris = [`${served.publicUrl}/signin/callback`, `${served.publicUrl}/oauth/callback/nextcloud`]
    const visitor = createVisitor(cloud, "alice")
    const program = await connectThrough(served.mcp, visitor)
    const body = JSON.stringify({ ocs: { meta: { status: "failure", statuscode: 997, message: "Unauthorised" } } })
    cloud.switches.intercept = (_method, path) =>
      /^\/(?:ocs|remote\.php|index\.php\/apps\/notes)\//.test(path)
        ? { status: 401, headers: { "content-type": "application/json" }, body }
        : undefined
    const visits = sendTo(program, visitor.connect)
    const over = new AbortController()
    const call = program.callTool(listNotes, { signal: over.signal }).catch((error: unknown) => error)
    await expect.poll(() => visits.length).toBe(1)
    const page = await visits[0]
    expect(page).toContain("oidc_provider_bearer_validation")
    expect(page).not.toContain("Connected as")
    over.abort()
    expect(await call).toBeInstanceOf(Error)
    expect(visits).toHaveLength(1)
  })
})

/** The client is allowed by a person who signs in at Nextcloud itself. */
async function connectThrough(mcp: URL, visitor: ReturnType<typeof createVisitor>) {
  const program: Program = createProgram(undefined, redirectUri)
  return connectAs(mcp, program, visiting, async (address) => {
    const isBack = ({ href }: URL): boolean => href.startsWith(redirectUri)
    const page = await visitor.open(address)
    return (await visitor.browser.submit(page, { do: "allow" }, { stopAt: isBack })).url
  })
}

describe("on stdio", { timeout: 20_000 }, () => {
  const client = { NEXTCLOUD_OAUTH_CLIENT_ID: "id", NEXTCLOUD_OAUTH_CLIENT_SECRET: "secret" }
  const host = "https://cloud.example.org"

  it("the registered redirect address must be free", async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void blocker.close())
    const { port } = blocker.address() as AddressInfo
    const { code, err } = await run(["--host", host, "--database", "x.db"], { ...client, HOLDPOINT_PORT: String(port) })
    expect(code).toBe(2)
    expect(err).toContain(`redirects people to http://127.0.0.1:${port}, and that port is taken`)
  })

  it("the redirect address must lead to this machine", async () => {
    const { code, err } = await run(["--host", host], { ...client, ELICITATION_CALLBACK_URL: "https://a.example/cb" })
    expect(code).toBe(2)
    expect(err).toContain("on stdio people return to this machine")
  })
})
