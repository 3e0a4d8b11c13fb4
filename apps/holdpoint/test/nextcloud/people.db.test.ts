// Over HTTP, for people who sign in: the client is redirected to our authorization server, that to the identity provider, and
// the first call that needs an account asks its owner.

import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { describe, expect, it, onTestFinished } from "vitest"
import { createProgram } from "../authorization/scene.ts"
import {
  connect,
  connectAs,
  grantByLoginFlow,
  run,
  sendTo,
  serve,
  startCloud,
  textIn,
  titlesIn,
  visiting,
} from "./stage.ts"

const redirectUri = "http://127.0.0.1:43117/callback"
const listNotes = { name: "nc_notes_list_notes", arguments: {} }

async function startPeople(issuer?: string): Promise<Oidc> {
  // The same addresses as at the Nextcloud, by which an account is known to be the person's own.
  const oidc = await startOidc({ emailDomain: "example.org", ...(issuer === undefined ? {} : { issuer }) })
  onTestFinished(() => oidc.close())
  return oidc
}

const envOf = ({ issuer }: Pick<Oidc, "issuer">): Readonly<Record<string, string>> => ({
  OIDC_DISCOVERY_URL: `${issuer}/.well-known/openid-configuration`,
  OIDC_CLIENT_ID: oidcClient.id,
  OIDC_CLIENT_SECRET: oidcClient.secret,
})

describe("people who sign in", { timeout: 20_000 }, () => {
  it("go from a refused call to their notes, each to their own", async () => {
    const cloud = await startCloud()
    const people = await startPeople()
    const served = await serve(cloud, envOf(people))
    people.allowRedirect(`${served.publicUrl}/signin/callback`)
    expect((await fetch(served.mcp, { method: "POST", body: "{}" })).status).toBe(401)
    const client = await connectAs(served.mcp, createProgram(undefined, redirectUri), visiting)
    const visits = sendTo(client, (link) => grantByLoginFlow(cloud, link, "alice"))
    expect(titlesIn(await client.callTool(listNotes))).not.toEqual([])
    expect(await visits[0]).toContain("Read your notes")
    expect(cloud.access("alice")).toHaveLength(1)
    await client.callTool(listNotes)
    expect(visits).toHaveLength(1)

    people.settings.user = "bob"
    const other = await connectAs(served.mcp, createProgram(undefined, redirectUri), visiting)
    const status = await other.callTool({ name: "check_provisioning_status", arguments: {} })
    expect(textIn(status)).toContain("not_connected")
    expect(cloud.access("bob")).toEqual([])
  })

  it("return to the registered port, so a taken port is an error", async () => {
    const cloud = await startCloud()
    const people = await startPeople()
    const { port } = new URL(cloud.url)
    const { code, err } = await run(["--host", cloud.url, "--http", port, "--database", "x.db"], envOf(people))
    expect(code).toBe(2)
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`)
    expect(err).toContain("--http")
  })

  it("are shown the redirect address to register", async () => {
    const cloud = await startCloud()
    const served = await serve(cloud, envOf(await startPeople()))
    await served.prints(/Redirects: .*\/signin\/callback \(register for the OAuth client\)/)
  })

  it("can use an issuer that ends with a slash", async () => {
    const cloud = await startCloud()
    const oidc = await startPeople()
    const document = (await (await fetch(`${oidc.issuer}/.well-known/openid-configuration`)).json()) as object
    cloud.switches.intercept = (_method, path) =>
      path === "/idp/.well-known/openid-configuration"
        ? {
            status: 200,
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ ...document, issuer: `${cloud.url}/idp/` }),
          }
        : undefined
    await serve(cloud, envOf({ issuer: `${cloud.url}/idp` }))
  })
})

describe("an identity provider that cannot be used", { timeout: 20_000 }, () => {
  it("stops the start when there is none at the address", async () => {
    const cloud = await startCloud()
    const { code, err } = await run(["--host", cloud.url, "--http", "0"], envOf({ issuer: `${cloud.url}/nothing` }))
    expect(code).toBe(2)
    expect(err).toContain("There is no OpenID Connect provider at")
    expect(err).toContain("OIDC_DISCOVERY_URL is the address of its metadata")
  })

  it("stops the start when its metadata states another issuer", async () => {
    const cloud = await startCloud()
    const people = await startPeople(`${cloud.url}/nothing`)
    const { code, err } = await run(["--host", cloud.url, "--http", "0"], envOf({ issuer: people.address }))
    expect(code).toBe(2)
    expect(err).toContain(`states the issuer ${cloud.url}/nothing`)
  })

  it("does not stop the start when it is unreachable, but prints a warning", async () => {
    const cloud = await startCloud()
    const served = await serve(cloud, envOf({ issuer: "http://127.0.0.1:9" }))
    await served.prints(/The identity provider cannot be reached now .*People cannot sign in until it answers/)
    await expect(connect(served.mcp)).rejects.toThrow()
  })
})
