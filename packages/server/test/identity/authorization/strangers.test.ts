// Strangers, clock differences and races: they end nothing that a person has allowed, and they add nothing to it.

import { systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { afterEach, describe, expect, it } from "vitest"
import { createArtifactStore } from "../../../src/identity/authorization/artifact-store.ts"
import { createConsents } from "../../../src/identity/authorization/consents.ts"
import { toAccountId } from "../../../src/identity/authorization/principal.ts"
import { artifactKind } from "../../../src/identity/authorization/records.ts"
import {
  type Authority,
  alice,
  answer,
  authorize,
  authorizeUrl,
  desk,
  documentOf,
  newVerifier,
  notes,
  openAuthority,
  openVisitor,
  post,
  redeem,
  refresh,
  writer,
} from "./setup.ts"

let authority: Authority
afterEach(async () => {
  expect(authority.problems).toEqual([])
  await authority.close()
})

const artifacts = () => authority.storage.records(artifactKind).list({ tenant: "authorization", limit: 1_000 })
const begin = (more: Record<string, string | undefined> = {}) =>
  openVisitor().get(authorizeUrl(authority, desk, newVerifier(), more))

describe("strangers who request one document after another", () => {
  const strange = (name: string) => ({ id: `https://evil.example/${name}.json`, redirectUri: writer.redirectUri })
  const askAll = async (names: readonly string[]) => {
    for (const name of names) await openVisitor().get(authorizeUrl(authority, strange(name), newVerifier()))
  }

  it("do not end a program that a person has allowed", async () => {
    authority = await openAuthority()
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    authority.nodes.splice(0)
    await authority.addNode({ metadataDocuments: { perMinute: 2 } })
    await askAll(["a", "b", "c"])
    expect(authority.fetched.filter((url) => url.includes("evil")).length).toBeLessThanOrEqual(2)
    expect(await refresh(authority, writer, tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it("do not cause endless fetches of an allowed program's document: the last one stays valid", async () => {
    authority = await openAuthority()
    let { tokens } = await redeem(authority, await authorize(authority, writer))
    authority.nodes.splice(0)
    await authority.addNode({ metadataDocuments: { perMinute: 2, cacheSeconds: { min: 0, max: 0 } } })
    authority.fetched.splice(0)
    for (let round = 0; round < 4; round++) {
      await openVisitor().get(authorizeUrl(authority, writer, newVerifier()))
      tokens = (await refresh(authority, writer, tokens.refresh_token)).tokens
    }
    expect(Object.keys(tokens)).toContain("access_token")
    expect(authority.fetched).toEqual([writer.id, writer.id])
  })

  it("do not evict a program's document before the person answers", async () => {
    authority = await openAuthority({ metadataDocuments: { perMinute: 1_000 } })
    const headers = { "cache-control": "max-age=600" }
    const document = (id: string) => () => Response.json(documentOf(id), { headers })
    authority.documents.set(writer.id, document(writer.id))
    const visitor = openVisitor()
    const verifier = newVerifier()
    const begun = await visitor.get(authorizeUrl(authority, writer, verifier))
    const names = Array.from({ length: 101 }, (_, at) => `n${at}`)
    for (const name of names) authority.documents.set(strange(name).id, document(strange(name).id))
    await askAll(names)
    const back = await answer(authority, visitor, begun.location?.pathname.split("/").at(-1) ?? "", alice)
    const code = back.searchParams.get("code") ?? ""
    noteCanary("code", code)
    const { tokens } = await redeem(authority, { code, verifier, client: writer, back })
    authority.documents.set(writer.id, () => Promise.reject(new Error("down")))
    authority.nodes.splice(0)
    await authority.addNode()
    expect((await refresh(authority, writer, tokens.refresh_token)).status).toBe(200)
  })

  it("do not bring back a document that its host removed", async () => {
    authority = await openAuthority()
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    authority.documents.set(writer.id, () => new Response("", { status: 404 }))
    authority.nodes.splice(0)
    await authority.addNode({ metadataDocuments: { perMinute: 1 } })
    const tries = [1, 2, 3].map(() => refresh(authority, writer, tokens.refresh_token))
    for (const tried of await Promise.all(tries)) expect(tried).toMatchObject({ error: "invalid_client" })
    expect(await refresh(authority, writer, tokens.refresh_token)).toMatchObject({ error: "invalid_client" })
  })
})

describe("a host that answers with a page in place of the document", () => {
  it("keeps every program that a person has allowed usable", async () => {
    authority = await openAuthority()
    let { tokens } = await redeem(authority, await authorize(authority, writer))
    const outages = [() => new Response("<h1>Back soon</h1>"), () => new Response("", { status: 503 })]
    for (const outage of outages) {
      authority.documents.set(writer.id, outage)
      authority.nodes.splice(0)
      await authority.addNode()
      tokens = (await refresh(authority, writer, tokens.refresh_token)).tokens
      expect(Object.keys(tokens)).toContain("access_token")
    }
  })
})

describe("requests without a signed-in person", () => {
  it("are stored only up to the limit, and the program is told to try again later", async () => {
    const clock = createTestClock(Date.now())
    authority = await openAuthority({ runtime: clock, requestsPerMinute: 3 })
    const before = (await artifacts()).length
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    for (let round = 0; round < 10; round++) await begin()
    expect((await artifacts()).filter(({ kind }) => kind === "Interaction").length).toBeLessThanOrEqual(3)
    const { location } = await begin()
    expect(location?.searchParams.get("error")).toBe("temporarily_unavailable")
    expect((await refresh(authority, writer, tokens.refresh_token)).status).toBe(200)
    await clock.advance(60_000)
    expect((await begin()).location?.pathname).toMatch(/^\/authorize\//)
    expect(before).toBe(1)
  })

  it("can still be answered when the limit is reached", async () => {
    authority = await openAuthority({ requestsPerMinute: 1 })
    const [visitor, verifier] = [openVisitor(), newVerifier()]
    const begun = await visitor.get(authorizeUrl(authority, writer, verifier))
    expect((await begin()).location?.searchParams.get("error")).toBe("temporarily_unavailable")
    const back = await answer(authority, visitor, begun.location?.pathname.split("/").at(-1) ?? "", alice)
    const code = back.searchParams.get("code") ?? ""
    noteCanary("code", code)
    expect((await redeem(authority, { code, verifier, client: writer, back })).status).toBe(200)
  })

  it("are limited in size", async () => {
    authority = await openAuthority()
    const { location } = await begin({ state: "s".repeat(9_000) })
    expect(location?.searchParams.get("error")).toBe("invalid_request")
    expect((await artifacts()).map(({ kind }) => kind)).not.toContain("Interaction")
    expect((await begin({ state: "s".repeat(2_000) })).location?.pathname).toMatch(/^\/authorize\//)
  })
})

describe("a request that is wrong on purpose", () => {
  const wrong: readonly Record<string, string>[] = [
    { response_type: "token" },
    { prompt: "none" },
    { resource: "https://evil.example/mcp" },
    { scope: "everything" },
  ]
  it.each(wrong)("does not redirect to a program that is not verified: %j", async (more) => {
    const pages: unknown[] = []
    const problemPage = async (problem: unknown) => String(pages.push(problem))
    authority = await openAuthority({ problemPage })
    const response = await openVisitor().get(authorizeUrl(authority, writer, newVerifier(), more))
    expect([response.status, response.location, response.headers.get("cache-control")]).toEqual([
      400,
      undefined,
      "no-store",
    ])
    // They may go there themselves, and then the program learns of it.
    const href = expect.stringMatching(/^https:\/\/writer\.example\/callback[?#]error=[a-z_]+&/)
    expect(pages).toEqual([expect.objectContaining({ next: { href, host: "writer.example" } })])
  })

  it("is reported to a program on the person's machine, and to a registered one", async () => {
    const web = { id: "web", redirectUri: "https://web.example/callback" }
    authority = await openAuthority({
      clients: [
        { clientId: web.id, name: "Web", redirectUris: [web.redirectUri], secret: "a-secret-of-the-web-client" },
      ],
    })
    const redirectUri = "http://127.0.0.1/callback"
    authority.documents.set(writer.id, () => Response.json(documentOf(writer.id, { redirect_uris: [redirectUri] })))
    for (const client of [web, { id: writer.id, redirectUri }]) {
      const { location } = await openVisitor().get(authorizeUrl(authority, client, newVerifier(), { prompt: "none" }))
      expect(location?.searchParams.get("error")).toBe("login_required")
    }
  })
})

describe("scopes", () => {
  it("that the server does not have are refused, and do not grant all of its scopes", async () => {
    authority = await openAuthority()
    for (const scope of ["notes.reed", "NOTES.READ", "openid files.read", "<b>"])
      expect([scope, (await begin({ scope })).location?.searchParams.get("error")]).toEqual([scope, "invalid_scope"])
    // These say nothing about a server: who names them alone names none.
    for (const scope of ["openid offline_access", "", undefined]) {
      const { tokens } = await redeem(authority, await authorize(authority, writer, { scope }))
      expect(tokens.scope).toBe("notes.read notes.write")
    }
  })
})

describe("a consent", () => {
  it.each([-30, -5, 5, 300])("is valid on nodes whose clocks are %d seconds apart", async (apart) => {
    const other = createTestClock(Date.now() + apart * 1_000)
    authority = await openAuthority()
    const granted = await authorize({ ...authority, nodes: [await authority.addNode({ runtime: other })] }, writer)
    const [first] = authority.nodes
    authority.nodes.splice(0, authority.nodes.length, ...(first === undefined ? [] : [first]))
    const { status, tokens } = await redeem(authority, granted)
    expect(status).toBe(200)
    expect((await refresh(authority, writer, tokens.refresh_token)).status).toBe(200)
  })

  it("that was withdrawn stays ended after a new consent, even within the same second", async () => {
    const clock = createTestClock(Date.now())
    authority = await openAuthority({ runtime: clock })
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    const { consents } = authority.nodes[0] ?? expect.fail("there is no node")
    const [consent] = await consents.list(alice)
    await consents.withdraw(alice, consent?.id ?? "")
    const renewed = await redeem(authority, await authorize(authority, writer))
    expect(await refresh(authority, writer, tokens.refresh_token)).toMatchObject({ error: "invalid_grant" })
    expect((await refresh(authority, writer, renewed.tokens.refresh_token)).status).toBe(200)
  })

  it("that was withdrawn leaves no token in the store", async () => {
    authority = await openAuthority()
    await redeem(authority, await authorize(authority, writer))
    const { consents } = authority.nodes[0] ?? expect.fail("there is no node")
    const [consent] = await consents.list(alice)
    expect(Object.keys(consent ?? {})).not.toContain("grants")
    await consents.withdraw(alice, consent?.id ?? "")
    const kinds = (await artifacts()).map(({ kind }) => kind)
    for (const kind of ["Consent", "Grant", "RefreshToken", "AuthorizationCode"]) expect(kinds).not.toContain(kind)
  })
})

describe("a consent that is withdrawn at the moment when it is given again", () => {
  it("does not bring back what was granted before", async () => {
    authority = await openAuthority()
    const { storage } = authority
    let interrupt = async (): Promise<void> => {}
    const interrupted = overriding(storage, artifactKind, ({ get }) => ({
      async get(id) {
        const record = await get(id)
        const [run] = [interrupt]
        interrupt = async () => {}
        await run()
        return record
      },
    }))
    const sealer = createSealer(withNewKey())
    const artifacts = createArtifactStore({ storage: interrupted, sealer, runtime: systemRuntime })
    const consents = createConsents(artifacts, systemRuntime)
    const between = { account: toAccountId(alice), client: writer.id, resource: notes.resource }
    const consent = { ...between, redirectUri: writer.redirectUri, scopes: ["notes.read", "notes.write"] }
    await consents.remember(consent, "first")
    interrupt = async () => {
      const [standing] = await consents.list(alice)
      expect(await consents.withdraw(alice, standing?.id ?? "")).toBe(true)
    }
    await consents.remember({ ...consent, scopes: ["notes.read"] }, "second")
    expect([await consents.isGranted(between, "first"), await consents.isGranted(between, "second")]).toEqual([
      false,
      true,
    ])
    expect((await consents.list(alice)).map(({ scopes }) => scopes)).toEqual([["notes.read"]])
  })
})

describe("the store", () => {
  it("stores only a plain name as the kind of an artifact", async () => {
    authority = await openAuthority()
    await redeem(authority, await authorize(authority, writer))
    for (const { kind } of await artifacts()) expect(kind).toMatch(/^[A-Za-z ]{1,30}$/)
  })
})

describe("a page without an origin", () => {
  it("gets neither a token nor CORS access as a program with a custom URI scheme", async () => {
    const clients = [{ clientId: "app", name: "App", redirectUris: ["com.example.app:/callback"] }]
    authority = await openAuthority({ clients })
    const response = await fetch(`${authority.issuer}/oauth/token`, {
      ...{ method: "POST", headers: { origin: "null" } },
      body: new URLSearchParams({ grant_type: "refresh_token", client_id: "app", refresh_token: "x" }),
    })
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([400, null])
    await response.text()
    expect((await post(authority, "/oauth/token", { grant_type: "x", client_id: "app" })).status).toBe(400)
  })
})
