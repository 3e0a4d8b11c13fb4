// Two nodes on one Postgres behind a balancer that alternates between them: a flow that begins on one node may return to the
// other, and the waiting call continues on its node.

import { createServer, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { toOwner } from "@holdpoint/accounts"
import { withNewKey } from "@holdpoint/hub/sealing"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { notesProvider } from "@holdpoint/testkit/holdpoint/pages/world"
import { postgres } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { type Server, startServer } from "../../src/serve/server.ts"

let people: Oidc
let notes: Oidc
const nodes: Server[] = []
const served: number[] = []
const closers: (() => Promise<unknown>)[] = []
let publicUrl = ""

beforeAll(async () => {
  ;[people, notes] = await Promise.all([startOidc(), startOidc({ scopes: ["notes.read"] })])
  const balancer = createServer((request, response) => {
    const nodeIndex = served.length % nodes.length
    served.push(nodeIndex)
    const { method, headers } = request
    const passed = send(`${nodes[nodeIndex]?.address}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => balancer.listen(0, "127.0.0.1", resolve))
  publicUrl = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`
  people.allowRedirect(`${publicUrl}/signin/callback`)
  notes.allowRedirect(`${publicUrl}/oauth/callback/notes`)
  const harness = await postgres()
  const ring = withNewKey()
  for (const host of ["127.0.0.1", "127.0.0.2"]) {
    const storage = await harness.open()
    const node = await startServer({
      ...{ storage, keys: ring, host, port: 0, publicUrl, network: { allowLoopback: true } },
      people: {
        from: "providers",
        providers: [{ id: "people", name: "People", issuer: people.issuer, client: oidcClient, tenant: "acme" }],
      },
      providers: [notesProvider(notes)],
    })
    nodes.push(node)
    closers.unshift(async () => {
      await node.close()
      await storage.close()
    })
  }
  closers.push(async () => balancer.closeAllConnections(), harness.destroy, people.close, notes.close)
})
afterAll(async () => {
  for (const close of closers) await close()
})

describe("two nodes behind a balancer", () => {
  verifies("consent.from-link-to-call", "connect an account together, whichever node gets a request", async () => {
    const alice = { tenant: "acme", issuer: people.issuer, subject: "alice" }
    const need = {
      owner: toOwner(alice),
      provider: "notes",
      scopes: ["notes.read"],
      requester: { id: "note-taker", name: "Note taker" },
    }
    const [first, second] = nodes as [Server, Server]
    const waiting = Promise.all([first.vault.connect(need), second.vault.connect(need)])
    const { id } = await second.vault.ask(need)
    const browser = openJarBrowser()
    const page = await browser.open(`${publicUrl}/connect/${id}`)
    expect(page.text).toContain("Read your notes")
    expect((await browser.submit(page, { do: "continue" })).text).toContain("Connected as")
    const [here, there] = await waiting
    expect(here.id).toBe(there.id)
    for (const handle of [here, there]) expect((await handle.fetch(`${notes.issuer}/me`)).status).toBe(200)
    expect(new Set(served).size).toBe(2)
    await first.vault.disconnect(here.id, { by: alice })
    await expect(there.fetch(`${notes.issuer}/me`)).rejects.toMatchObject({ code: "connection_revoked" })
    expect(notes.countTokens("authorization_code")).toBe(1)
  })
})
