// The lifetimes of tokens, consents and keys.

import { createMemoryStorage } from "@holdpoint/hub"
import { createTestClock } from "@holdpoint/testing"
import { hearStorage } from "@holdpoint/testkit/canaries/databases"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { verifies } from "@holdpoint/testkit/verifies"
import { decodeProtectedHeader } from "jose"
import { afterEach, describe, expect, it } from "vitest"
import type { AuthorizationRequest } from "../../../src/identity/authorization/index.ts"
import { artifactKind } from "../../../src/identity/authorization/records.ts"
import {
  type Authority,
  alice,
  authorize,
  authorizeUrl,
  bob,
  type Client,
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
  await hearStorage(authority.storage, "acme")
  await authority.close()
  expect(authority.problems).toEqual([])
})

describe("a refresh token", () => {
  verifies(
    "authority.used-once",
    "is replaced at each use, and reuse of an old one ends the whole family",
    async () => {
      authority = await openAuthority()
      const first = (await redeem(authority, await authorize(authority, writer))).tokens
      const second = (await refresh(authority, writer, first.refresh_token)).tokens
      const third = (await refresh(authority, writer, second.refresh_token)).tokens
      expect(await refresh(authority, writer, first.refresh_token)).toMatchObject({
        status: 400,
        error: "invalid_grant",
      })
      expect(await refresh(authority, writer, third.refresh_token)).toMatchObject({
        status: 400,
        error: "invalid_grant",
      })
    },
  )

  it("of one copy of a program stays valid when another copy's is ended", async () => {
    authority = await openAuthority()
    const laptop = (await redeem(authority, await authorize(authority, writer))).tokens
    const phone = (await redeem(authority, await authorize(authority, writer))).tokens
    await refresh(authority, writer, laptop.refresh_token)
    expect((await refresh(authority, writer, laptop.refresh_token)).status).toBe(400)
    expect((await refresh(authority, writer, phone.refresh_token)).status).toBe(200)
  })

  it("can request fewer scopes than were granted, and never more", async () => {
    authority = await openAuthority()
    const both = (await redeem(authority, await authorize(authority, writer, { scope: "notes.read notes.write" })))
      .tokens
    expect(both.scope).toBe("notes.read notes.write")
    const less = await refresh(authority, writer, both.refresh_token, { scope: "notes.read" })
    expect(less.tokens.scope).toBe("notes.read")
    const one = (await redeem(authority, await authorize(authority, writer))).tokens
    const more = await refresh(authority, writer, one.refresh_token, { scope: "notes.read notes.write" })
    expect(more).toMatchObject({ status: 400, error: "invalid_scope" })
  })

  it("is not used up by a refused request for two resources", async () => {
    const files = { ...notes, resource: "https://files.example/mcp", name: "Files" }
    authority = await openAuthority({ resources: [notes, files] })
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    const both = new URLSearchParams({
      ...{ grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: writer.id },
      resource: notes.resource,
    })
    both.append("resource", files.resource)
    const refused = await fetch(`${authority.issuer}/oauth/token`, { method: "POST", body: both })
    expect(refused.status).toBe(400)
    expect((await refresh(authority, writer, tokens.refresh_token)).status).toBe(200)
  })

  it.each([
    ["an unknown resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["a resource that was not granted", { resource: "https://files.example/mcp" }, "invalid_target"],
    ["a scope that was not granted", { scope: "notes.write" }, "invalid_scope"],
    ["an unknown scope", { scope: "everything" }, "invalid_scope"],
    ["another program's name", { client_id: desk.id }, "invalid_grant"],
  ])("is not used up by a refused request with %s", async (_, wrong, error) => {
    const files = { ...notes, resource: "https://files.example/mcp", name: "Files" }
    authority = await openAuthority({ resources: [notes, files] })
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    expect(await refresh(authority, writer, tokens.refresh_token, wrong)).toMatchObject({ status: 400, error })
    const next = await refresh(authority, writer, tokens.refresh_token)
    expect(next.status).toBe(200)
    expect((await refresh(authority, writer, next.tokens.refresh_token)).status).toBe(200)
  })

  verifies("authority.revocation", "is revoked only by the program that it was issued to", async () => {
    authority = await openAuthority()
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    const revoke = (client: Client, token: string) =>
      post(authority, "/oauth/revoke", { token, client_id: client.id, token_type_hint: "refresh_token" })
    expect((await revoke(desk, tokens.refresh_token)).status).toBe(200)
    const next = await refresh(authority, writer, tokens.refresh_token)
    expect(next.status).toBe(200)
    expect((await revoke(writer, "a-token-that-was-never-issued")).status).toBe(200)
    expect((await revoke(writer, next.tokens.refresh_token)).status).toBe(200)
    expect((await refresh(authority, writer, next.tokens.refresh_token)).status).toBe(400)
  })

  it("expires after a month without use", async () => {
    const clock = createTestClock(Date.now())
    authority = await openAuthority({ runtime: clock })
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    await clock.advance(30 * 24 * 3_600_000)
    expect((await refresh(authority, writer, tokens.refresh_token)).status).toBe(400)
  })
})

describe("an access token", () => {
  /** The check of the resource server in the same process. */
  const statusWith = async (token: string): Promise<number> => {
    const resource = authority.nodes[0]?.protect(notes.resource) ?? expect.fail("there is no node")
    const headers = { authorization: `Bearer ${token}` }
    const answered = await resource.authenticate(new Request(notes.resource, { method: "POST", headers }))
    return answered instanceof Response ? answered.status : 200
  }
  const both = { scope: "notes.read notes.write" }
  const tokensOf = async (more = {}) =>
    (await redeem(authority, await authorize(authority, writer, { ...both, ...more }))).tokens
  const revoke = (client: Client, token: string, hint = "access_token") =>
    post(authority, "/oauth/revoke", { token, client_id: client.id, token_type_hint: hint })

  verifies(
    "authority.revocation",
    "of a program that its person withdrew is refused immediately, and no other",
    async () => {
      authority = await openAuthority()
      const [hers, his] = [await tokensOf(), await tokensOf({ person: bob })]
      expect([await statusWith(hers.access_token), await statusWith(his.access_token)]).toEqual([200, 200])
      const consents = authority.nodes[0]?.consents
      const [consent] = (await consents?.list(alice)) ?? []
      expect(await consents?.withdraw(alice, consent?.id ?? "")).toBe(true)
      expect([await statusWith(hers.access_token), await statusWith(his.access_token)]).toEqual([401, 200])
      await tokensOf()
      expect(await statusWith(hers.access_token)).toBe(401)
    },
  )

  it("that cannot be checked is answered with 503, and the operator gets the cause", async () => {
    const memory = createMemoryStorage()
    let isAway = false
    const storage = overriding(memory, artifactKind, ({ get }) => ({
      get: (id) => (isAway ? Promise.reject(new Error("The database is away.")) : get(id)),
    }))
    authority = await openAuthority({}, storage)
    const { access_token } = await tokensOf()
    isAway = true
    expect(await statusWith(access_token)).toBe(503)
    isAway = false
    expect(authority.problems.splice(0)).toEqual([
      `checking a token of ${authority.issuer}: Error: The database is away.`,
    ])
  })

  verifies("authority.revocation", "that its program revokes is refused immediately, on every node", async () => {
    authority = await openAuthority()
    await authority.addNode()
    const [first, second] = [await tokensOf(), await tokensOf()]
    expect((await revoke(writer, first.access_token)).status).toBe(200)
    expect([await statusWith(first.access_token), await statusWith(second.access_token)]).toEqual([401, 200])
    expect((await refresh(authority, writer, first.refresh_token)).status).toBe(400)
    expect((await refresh(authority, writer, second.refresh_token)).status).toBe(200)
  })

  it("is refused once its refresh token is revoked or used twice", async () => {
    authority = await openAuthority()
    const [given, stolen] = [await tokensOf(), await tokensOf()]
    expect((await revoke(writer, given.refresh_token, "refresh_token")).status).toBe(200)
    expect(await statusWith(given.access_token)).toBe(401)
    const next = (await refresh(authority, writer, stolen.refresh_token)).tokens
    expect(await statusWith(next.access_token)).toBe(200)
    await refresh(authority, writer, stolen.refresh_token)
    expect(await statusWith(next.access_token)).toBe(401)
  })

  it("is revoked only by the program that it was issued to, and an unknown token changes nothing", async () => {
    authority = await openAuthority()
    const { access_token: token } = await tokensOf()
    const [head = "", , signature = ""] = token.split(".")
    const forged = Buffer.from(JSON.stringify({ client_id: writer.id, grant: "x" })).toString("base64url")
    for (const [client, presented] of [
      [desk, token],
      [writer, `${head}.${forged}.${signature}`],
      [writer, "a.b.c"],
    ] as const)
      expect((await revoke(client, presented)).status).toBe(200)
    const stranger = { token, client_id: "https://stranger.example/client.json" }
    expect((await post(authority, "/oauth/revoke", stranger)).status).toBe(400)
    expect(await statusWith(token)).toBe(200)
  })
})

describe("a consent", () => {
  const web = { id: "https://writer.example/client.json", redirectUri: "https://writer.example/callback" }
  const askAgain = async (client: Client, scope: string, more: Record<string, string> = {}) => {
    const visitor = openVisitor()
    const begun = await visitor.get(authorizeUrl(authority, client, newVerifier(), { scope, ...more }))
    const { requests } = authority.nodes[0] ?? expect.fail("there is no node")
    const id = begun.location?.pathname.split("/").at(-1) ?? ""
    const asked = (await requests.find(id, visitor.header())) as AuthorizationRequest
    return { requests, asked }
  }

  it("is not requested again for the same person, program, server, address and scopes", async () => {
    authority = await openAuthority()
    const first = await askAgain(web, "notes.read")
    expect(await first.requests.isAllowed(first.asked, alice)).toBe(false)
    await authorize(authority, web)
    const again = await askAgain(web, "notes.read")
    expect(await again.requests.isAllowed(again.asked, alice)).toBe(true)
    expect(await again.requests.isAllowed(again.asked, bob)).toBe(false)
  })

  verifies("authority.consent-per-client", "is requested again for more scopes; the old ones are known", async () => {
    authority = await openAuthority()
    await authorize(authority, web)
    const { requests, asked } = await askAgain(web, "notes.read notes.write")
    expect(await requests.isAllowed(asked, alice)).toBe(false)
    expect(await requests.allowedBefore(asked, alice)).toEqual(["notes.read"])
  })

  it("is requested again for another redirect URI, or when the program sends prompt=consent", async () => {
    authority = await openAuthority()
    const elsewhere = "https://writer.example/other"
    const redirect_uris = [web.redirectUri, elsewhere]
    authority.documents.set(web.id, () => Response.json(documentOf(web.id, { redirect_uris })))
    await authorize(authority, web)
    const moved = await askAgain({ id: web.id, redirectUri: elsewhere }, "notes.read")
    expect(await moved.requests.isAllowed(moved.asked, alice)).toBe(false)
    const insisting = await askAgain(web, "notes.read", { prompt: "consent" })
    expect(await insisting.requests.isAllowed(insisting.asked, alice)).toBe(false)
  })

  it("is always requested for a program on the person's machine, which any program could claim to be", async () => {
    authority = await openAuthority()
    await authorize(authority, desk)
    const { requests, asked } = await askAgain(desk, "notes.read")
    expect(await requests.isAllowed(asked, alice)).toBe(false)
  })
})

describe("a withdrawn consent", () => {
  const consents = () => authority.nodes[0]?.consents ?? expect.fail("there is no node")

  verifies("authority.revocation", "is not valid, and only this person's codes and refresh tokens end", async () => {
    authority = await openAuthority()
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    const others = await redeem(authority, await authorize(authority, writer, { person: bob }))
    const granted = await authorize(authority, writer)
    const [consent] = await consents().list(alice)
    expect(consent).toMatchObject({ client: writer.id, name: "Writer", scopes: ["notes.read"] })
    const id = consent?.id ?? ""
    expect([await consents().withdraw(bob, id), await consents().withdraw(alice, id)]).toEqual([false, true])
    expect(await consents().list(alice)).toEqual([])
    expect(await refresh(authority, writer, tokens.refresh_token)).toMatchObject({
      status: 400,
      error: "invalid_grant",
    })
    expect(await redeem(authority, granted)).toMatchObject({ status: 400, error: "invalid_grant" })
    expect((await refresh(authority, writer, others.tokens.refresh_token)).status).toBe(200)
  })

  verifies("authority.revocation", "is not brought back by a later consent", async () => {
    const clock = createTestClock(Date.now())
    authority = await openAuthority({ runtime: clock })
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    const [consent] = await consents().list(alice)
    await consents().withdraw(alice, consent?.id ?? "")
    await clock.advance(5_000)
    await authorize(authority, writer)
    expect(await consents().list(alice)).toHaveLength(1)
    expect((await refresh(authority, writer, tokens.refresh_token)).status).toBe(400)
  })
})

describe("signing keys", () => {
  it("are replaced automatically after 90 days, by one of the nodes", async () => {
    const clock = createTestClock(Date.now())
    authority = await openAuthority({ runtime: clock })
    const other = await authority.addNode()
    await clock.advance(90 * 24 * 3_600_000)
    const sets = await Promise.all([...authority.nodes, other].map((node) => node.keys()))
    await clock.advance(61_000)
    expect(sets.map(({ keys }) => keys.length)).toContain(2)
    for (const node of authority.nodes) expect((await node.keys()).keys).toHaveLength(2)
  })

  verifies(
    "authority.keys",
    "are replaced without an interruption: published first, used later, kept while needed",
    async () => {
      const clock = createTestClock(Date.now())
      authority = await openAuthority({ runtime: clock })
      const other = await authority.addNode()
      const kidOf = async (): Promise<string | undefined> => {
        const { tokens } = await redeem(authority, await authorize(authority, writer))
        return decodeProtectedHeader(tokens.access_token).kid
      }
      const published = async () => (await other.keys()).keys.map(({ kid }) => kid)
      const old = await kidOf()
      await authority.nodes[0]?.rotateKeys()
      await clock.advance(61_000)
      expect(await published()).toEqual([expect.any(String), old])
      expect([await kidOf(), await kidOf()]).toEqual([old, old])
      await clock.advance(10 * 60_000)
      const [newest] = await published()
      expect([await kidOf(), await kidOf()]).toEqual([newest, newest])
      await clock.advance(60 * 60_000)
      await other.rotateKeys()
      expect(await published()).toEqual([expect.any(String), newest])
    },
  )

  it("are the same object as long as they do not change", async () => {
    authority = await openAuthority()
    const [node] = authority.nodes
    expect(await node?.keys()).toBe(await node?.keys())
    for (const key of (await node?.keys())?.keys ?? []) expect(key).not.toHaveProperty("d")
  })
})
