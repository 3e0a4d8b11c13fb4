// From a program that is known only by its address to a token for one server, and the use of that token.

import { verifies } from "@holdpoint/testkit/verifies"
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose"
import { afterEach, describe, expect } from "vitest"
import { createResourceServer } from "../../../src/identity/index.ts"
import { type Authority, alice, authorize, desk, notes, openAuthority, redeem, refresh, writer } from "./setup.ts"

let authority: Authority
afterEach(async () => {
  expect(authority.problems).toEqual([])
  await authority.close()
})

describe("a program with a metadata document", () => {
  verifies(
    "authority.issuer-named",
    "gets a token that names the person, the program, the server and the scopes",
    async () => {
      authority = await openAuthority()
      const granted = await authorize(authority, writer)
      expect(granted.back.origin + granted.back.pathname).toBe(writer.redirectUri)
      expect(granted.back.searchParams.get("iss")).toBe(authority.issuer)
      expect(granted.back.searchParams.get("state")).toBe("s-1")
      const { status, tokens } = await redeem(authority, granted)
      expect(status).toBe(200)
      expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 600, scope: "notes.read" })
      expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ typ: "at+jwt", alg: "ES256" })
      const [node] = authority.nodes
      const { payload } = await jwtVerify(tokens.access_token, createLocalJWKSet((await node?.keys()) ?? { keys: [] }))
      expect(payload).toMatchObject({
        ...{ iss: authority.issuer, aud: notes.resource, client_id: writer.id, scope: "notes.read", principal: alice },
      })
      expect(node?.toPrincipal(payload)).toEqual(alice)
      const again = await refresh(authority, writer, tokens.refresh_token)
      expect(again.status).toBe(200)
      expect(again.tokens.refresh_token).not.toBe(tokens.refresh_token)
      expect(await refresh(authority, desk, again.tokens.refresh_token)).toMatchObject({
        status: 400,
        error: "invalid_grant",
      })
    },
  )

  verifies(
    "authority.one-resource",
    "is accepted by a resource server in the same process, as the person who signed in",
    async () => {
      authority = await openAuthority()
      const [node] = authority.nodes
      const { tokens } = await redeem(authority, await authorize(authority, writer))
      const fetch = () => Promise.reject(new Error("no request is expected"))
      const issuers = node === undefined ? [] : [node.tokenIssuer]
      const server = createResourceServer({ resource: notes.resource, issuers, fetch, requires: ["notes.read"] })
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const caller = await server.authenticate(new Request(notes.resource, { headers }))
      expect(caller).toMatchObject({ principal: alice, clientId: writer.id, scopes: ["notes.read"] })
      const other = createResourceServer({ resource: "https://other.example/mcp", issuers, fetch })
      expect(await other.authenticate(new Request("https://other.example/mcp", { headers }))).toMatchObject({
        status: 401,
      })
    },
  )
})
