// Requests with credentials stay at the configured server, and only this machine reaches the stand-in.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { startStandIn } from "@holdpoint/nextcloud-stand-in"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { afterEach, describe, expect, it } from "vitest"
import { createSingleAccount } from "../src/accounts/single.ts"

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const password = "Canary-Pass-0123456789"
noteCanary("app_password", password)

/** A web server that records requests and redirects them to a given address. */
async function listen(to?: string): Promise<{ readonly url: string; readonly authorizations: readonly string[] }> {
  const authorizations: string[] = []
  const server = createServer(({ headers }, response) => {
    authorizations.push(headers.authorization ?? "nobody")
    response.writeHead(to === undefined ? 200 : 307, to === undefined ? {} : { location: to }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authorizations }
}

describe("a redirect to another server", () => {
  it.each(["GET", "PUT"])("is not followed for %s, and the password is not disclosed", async (method) => {
    const elsewhere = await listen()
    const { url, authorizations } = await listen(`${elsewhere.url}/inside`)
    const accounts = createSingleAccount({ url, username: "alice", password, fetch: (at, init) => fetch(at, init) })
    const nextcloud = await accounts.find({ principal: undefined })
    const sent = nextcloud?.send({ method, path: "/apps/notes/api/v1/notes", activity: "listing the notes" })
    const error = await sent?.catch((thrown: unknown) => thrown)
    expect(String(error)).toContain("redirects elsewhere")
    expect(JSON.stringify([String(error), error])).not.toContain(password)
    expect(authorizations).toHaveLength(1)
    expect(elsewhere.authorizations).toEqual([])
  })
})

describe("the stand-in", () => {
  it("listens only on the loopback address by default", async () => {
    const standIn = await startStandIn()
    closing.push(() => standIn.close())
    const address = new URL(standIn.url)
    expect(address.hostname).toBe("127.0.0.1")
    expect((await fetch(new URL("/status.php", address))).status).toBe(200)
    // Another address of this machine, which a server that listens on all addresses also has.
    address.hostname = "127.0.0.2"
    await expect(fetch(address)).rejects.toThrow()
  })
})
