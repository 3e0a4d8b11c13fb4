// The doctor's report for a person who has just typed an address.

import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it, onTestFinished } from "vitest"
import { programHeaders } from "../program-key.ts"
import { startExchanging } from "./exchanging.ts"
import { connect, createVisitor, run, sendTo, startCloud, visiting } from "./stage.ts"

const alice = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "alice-Pass-2026" }

const examine = (url: string, env = {}, flags: readonly string[] = []) =>
  run(["doctor", "--host", url, "--database", "doctor.db", ...flags], env)

/** Any server, instead of a Nextcloud. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe("the doctor", { timeout: 20_000 }, () => {
  it("shows the version, the ways to connect and the tools, and says how people connect", async () => {
    const cloud = await startCloud({ path: "/cloud" })
    const { code, out } = await examine(cloud.url)
    expect(out).toContain("Nextcloud 32.0.1")
    expect(out).toMatch(/✔ Login flow v2: works out of the box/)
    expect(out).toMatch(/notes +10/)
    expect(out).toContain("You connect your account when a call first needs it, by: Login flow v2.")
    expect(code).toBe(0)
  })

  it("lists the apps of an account, and the toolsets that have no app on the server", async () => {
    const cloud = await startCloud()
    cloud.switches.without.add("deck")
    const { code, out } = await examine(cloud.url, alice, ["--tools", "notes,deck", "--json"])
    const seen = JSON.parse(out) as { readonly apps: readonly string[]; readonly tools: readonly object[] }
    expect(seen.apps).toContain("notes")
    expect(seen.apps).not.toContain("deck")
    expect(seen).toMatchObject({
      account: "alice",
      mode: "single",
      ways: [{ by: "login_flow", works: true }, { by: "oauth" }, { by: "oidc" }],
      verdict: { isFine: true },
    })
    expect(seen.tools).toMatchObject([{ app: "notes" }, { app: "deck", offered: [], missing: expect.any(String) }])
    expect(code).toBe(0)
  })

  it("uses the account that is connected here, without asking a question", async () => {
    const cloud = await startCloud()
    const world = createWorld()
    const registered = cloud.registerClient("tools", "http://127.0.0.1:9/later")
    const { clientId: NEXTCLOUD_OAUTH_CLIENT_ID, clientSecret: NEXTCLOUD_OAUTH_CLIENT_SECRET } = registered
    const env = { NEXTCLOUD_OAUTH_CLIENT_ID, NEXTCLOUD_OAUTH_CLIENT_SECRET }
    const flags = ["--host", cloud.url, "--database", "own.db"]
    const running = world.start(["nextcloud", ...flags, "--http", "0"], { env })
    const [, publicUrl = ""] = await running.prints(/are at (\S+)\/mcp/)
    Object.assign(registered, { redirectUri: `${publicUrl}/oauth/callback/nextcloud` })
    const client = await connect(new URL(`${publicUrl}/mcp`), programHeaders(world.cwd), visiting)
    sendTo(client, createVisitor(cloud, "alice").connect)
    expect((await client.callTool({ name: "nc_notes_list_notes", arguments: {} })).isError).not.toBe(true)
    await client.close()
    running.stop()
    await running.done
    const { code, out } = await world.run(["nextcloud", "doctor", ...flags], { env })
    expect(out).toMatch(/account +alice/)
    expect(out).toMatch(/apps +.*notes/)
    expect(code).toBe(0)
    expect(cloud.access("alice")).toHaveLength(1)
  })

  it("ends immediately when it is stopped, even if the server never answers", async () => {
    const called = Promise.withResolvers<void>()
    const url = await listening(() => called.resolve())
    const running = createWorld().start(["nextcloud", "doctor", "--host", url, "--database", "doctor.db"])
    await called.promise
    running.stop()
    expect(await running.done).toMatchObject({ code: 1, err: expect.stringContaining("Stopped.") })
  })

  it("does not read endlessly from a server that is not a Nextcloud", async () => {
    const piece = Buffer.alloc(65_536, "x")
    const url = await listening((_request, response) => {
      const more = (): void => {
        while (response.write(piece));
        response.once("drain", more)
      }
      more()
    })
    const { code, out } = await examine(url)
    expect(out).toContain("the server there is not a Nextcloud")
    expect(code).toBe(1)
  })

  it("says what is wrong with the account that all calls share", async () => {
    const cloud = await startCloud()
    const { code, out } = await examine(cloud.url, { ...alice, NEXTCLOUD_PASSWORD: "wrong-Pass-2026" })
    expect(out).toContain("does not accept the name and password")
    expect(out).toContain("Create an app password there")
    expect(out).not.toContain("wrong-Pass-2026")
    expect(code).toBe(1)
    cloud.switches.throttled = true
    expect((await examine(cloud.url, alice)).out).toContain("refuses sign-ins from this address for a while (429)")
  })

  it("finds the server at another path than the one given", async () => {
    const cloud = await startCloud({ path: "/nextcloud" })
    for (const address of [new URL(cloud.url).origin, `${cloud.url}/apps/files`]) {
      const { code, out } = await examine(address)
      expect(out).toContain(`There is a Nextcloud at ${cloud.url}: use --host ${cloud.url}.`)
      expect(code).toBe(1)
    }
  })

  it("says that the server is in maintenance", async () => {
    const cloud = await startCloud()
    cloud.switches.maintenance = true
    const { code, out } = await examine(cloud.url)
    expect(out).toContain("maintenance mode")
    expect(code).toBe(1)
  })

  it("says that the server is too old, or has not finished its upgrade", async () => {
    const cloud = await startCloud()
    const status = { installed: true, maintenance: false, needsDbUpgrade: true, versionstring: "25.0.4" }
    cloud.switches.intercept = (_method, path) =>
      path === "/status.php"
        ? { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(status) }
        : undefined
    const { code, out } = await examine(cloud.url)
    expect(out).toContain("Nextcloud 25.0.4 is older than the tested versions")
    expect(out).toContain("needs to finish its upgrade")
    expect(code).toBe(1)
  })

  it("names the provider's address that is not requested because its host is not allowed", async () => {
    const cloud = await startCloud()
    const answer = {
      issuer: `${cloud.url}/idp`,
      token_endpoint: "http://10.1.2.3/token",
      jwks_uri: `${cloud.url}/keys`,
    }
    cloud.switches.intercept = (_method, path) =>
      path === "/idp/.well-known/openid-configuration"
        ? { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(answer) }
        : undefined
    const env = { OIDC_DISCOVERY_URL: answer.issuer, OIDC_CLIENT_ID: "client", OIDC_CLIENT_SECRET: "secret" }
    const { code, out } = await examine(cloud.url, env)
    expect(out).toContain("The request to 10.1.2.3 was not made: it is not a public address")
    expect(out).toContain("HOLDPOINT_NETWORK_ALSO_ALLOW")
    expect(code).toBe(1)
  })

  it("follows redirects of well-known addresses to index.php, as the usual nginx configuration sends", async () => {
    const cloud = await startCloud()
    cloud.switches.intercept = (_method, path) =>
      path.startsWith("/.well-known/")
        ? { status: 301, headers: { location: `${cloud.url}/index.php${path}` } }
        : undefined
    const { id, secret } = cloud.registerOidcClient({ name: "tools", redirectUris: [] })
    const env = { OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret }
    const { code, out } = await examine(cloud.url, env)
    expect(out).toContain("✔ OpenID Connect (app oidc): available")
    expect(out).toContain("connect their own accounts when a call first needs it, by: OpenID Connect (app oidc).")
    expect(code).toBe(0)
  })

  it("says when the server calls itself by another name", async () => {
    const cloud = await startCloud()
    cloud.switches.address = "https://cloud.example.org"
    const { code, out } = await examine(cloud.url)
    expect(out).toContain("the server calls itself https://cloud.example.org")
    expect(out).toContain("overwrite.cli.url")
    expect(code).toBe(1)
  })

  it("reports an OAuth 2 client that the server does not know", async () => {
    const cloud = await startCloud()
    const secret = { NEXTCLOUD_OAUTH_CLIENT_SECRET: "secret" }
    const unknown = await examine(cloud.url, { ...secret, NEXTCLOUD_OAUTH_CLIENT_ID: "unknown" })
    expect(unknown.out).toContain("does not know the client in NEXTCLOUD_OAUTH_CLIENT_ID")
    expect(unknown.code).toBe(1)
    const { clientId } = cloud.registerClient("tools", "http://127.0.0.1:9/back")
    const known = await examine(cloud.url, { ...secret, NEXTCLOUD_OAUTH_CLIENT_ID: clientId })
    expect(known.out).toContain("the client is known")
    expect(known.code).toBe(0)
  })

  it("advises an OAuth 2 client where many people sign in and connect by login flow", async () => {
    const cloud = await startCloud()
    const { env } = await startExchanging(cloud, { redirectUri: "https://writer.example/callback" })
    const { code, out } = await examine(cloud.url, { ...env, ENABLE_OFFLINE_ACCESS: "true" })
    expect(out).toContain("For many people an OAuth 2 client is safer")
    expect(code).toBe(0)
    expect((await examine(cloud.url)).out).not.toContain("is safer")
  })

  it("says whether the provider of a pass-through exchanges tokens", async () => {
    const cloud = await startCloud()
    const redirectUri = "https://writer.example/callback"
    const able = await startExchanging(cloud, { redirectUri })
    expect((await examine(cloud.url, able.env)).out).toContain("Callers' tokens are exchanged at")
    const unable = await startExchanging(cloud, { redirectUri, exchanges: false })
    const { code, out } = await examine(cloud.url, unable.env)
    expect(out).toContain("does not exchange tokens (RFC 8693), so callers get no access")
    expect(code).toBe(1)
  })

  it("says when people cannot sign in", async () => {
    const cloud = await startCloud()
    const env = { OIDC_DISCOVERY_URL: `${cloud.url}/nothing`, OIDC_CLIENT_ID: "client", OIDC_CLIENT_SECRET: "secret" }
    const { code, out } = await examine(cloud.url, env)
    expect(out).toContain("There is no OpenID Connect provider at")
    expect(code).toBe(1)
  })
})
