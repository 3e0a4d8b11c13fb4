// The socket of an account, used as programs use it: which requests are forwarded, and which are refused.

import { execFile } from "node:child_process"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import type { ConnectionHandle } from "@holdpoint/accounts"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AccountProxy } from "../../src/accounts/proxy.ts"
import { openAccountProxy } from "../../src/accounts/proxy.ts"
import { toTarget } from "../../src/accounts/target.ts"

const api = ["https://api.example", "https://files.example:8443/v1"]

describe("a request to the socket", () => {
  it.each([
    ["/items?page=2", "account", "https://api.example/items?page=2"],
    ["/items", undefined, "https://api.example/items"],
    ["/x", "files.example:8443", "https://files.example:8443/x"],
    ["http://account/items", "anything", "https://api.example/items"],
    ["https://files.example:8443/x?y", "account", "https://files.example:8443/x?y"],
    ["//elsewhere.example/x", "account", "https://api.example//elsewhere.example/x"],
    ["/@elsewhere.example/x", "account", "https://api.example/@elsewhere.example/x"],
  ])("with the target %s and the host %s goes to the provider", (target, host, goes) => {
    expect(toTarget(api, { target, host })).toBe(goes)
  })

  it.each([
    ["/x", "elsewhere.example"],
    ["https://elsewhere.example/x", "account"],
    ["http://api.example.elsewhere.example/x", "account"],
    ["/x", "api.example:8080"],
    ["*", "account"],
    ["@elsewhere.example/", "account"],
  ])("with the target %s and the host %s is refused", (target, host) => {
    expect(toTarget(api, { target, host })).toHaveProperty("problem")
  })
})

describe("the socket", () => {
  const received: { url: string; headers: IncomingHttpHeaders; length: number }[] = []
  const provider = createServer(async (request, response) => {
    let length = 0
    for await (const chunk of request) length += (chunk as Buffer).length
    const { method = "", url = "", headers } = request
    received.push({ url, headers, length })
    if (url === "/slow") return
    const hop = { connection: "close, x-hop", "x-hop": "of the provider" }
    response.writeHead(url === "/none" ? 404 : 200, { "content-type": "text/plain", "x-mine": "yes", ...hop })
    response.end(url === "/large" ? "x".repeat(3_000_000) : `${method} ${length}`)
  })
  let proxy: AccountProxy
  let socket: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve))
    const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    socket = join(makeScratchFolder("proxy"), "a1.sock")
    const handle = {
      ...{ id: "1", provider: "notes", api: [origin], scopes: [] },
      async fetch(url: string | URL, init: RequestInit = {}) {
        const headers = new Headers(init.headers)
        headers.set("authorization", "Bearer of-the-vault")
        return fetch(url, { ...init, headers })
      },
    } as unknown as ConnectionHandle
    proxy = await openAccountProxy(socket, handle)
  })
  afterAll(async () => {
    proxy.close()
    provider.closeAllConnections()
    await new Promise((resolve) => provider.close(resolve))
  })
  const curl = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)("curl", ["-sS", "--unix-socket", socket, ...args], {
      maxBuffer: 10_000_000,
    })
    return stdout
  }

  it("forwards methods, headers, bodies and the status, with the credentials of the account", async () => {
    expect(await curl("http://account/a", "-H", "Authorization: Bearer of-the-script")).toBe("GET 0")
    expect(await curl("-X", "PUT", "--data-binary", "four", "http://account/b")).toBe("PUT 4")
    const large = join(makeScratchFolder("upload"), "large")
    await promisify(execFile)("sh", ["-c", `head -c 3000000 /dev/zero > ${large}`])
    expect(await curl("-T", large, "http://account/c")).toBe("PUT 3000000")
    expect(await curl("-i", "http://account/none")).toMatch(/^HTTP\/1\.1 404 .*x-mine: yes/s)
    expect((await curl("http://account/large")).length).toBe(3_000_000)
    expect(new Set(received.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer of-the-vault"]))
  })

  it("forwards no header that the header Connection names, in either direction", async () => {
    const response = await curl("-i", "http://account/a", "-H", "Connection: X-Trace, close", "-H", "X-Trace: 1")
    expect(received.at(-1)?.headers).not.toHaveProperty("x-trace")
    expect(response).toContain("x-mine: yes")
    expect(response).not.toContain("x-hop")
  })

  it("refuses another host with an explanation, refuses TRACE, and forwards neither", async () => {
    const before = received.length
    expect(await curl("-i", "http://elsewhere.example/x")).toMatch(
      /^HTTP\/1\.1 421 .*x-holdpoint-error: unsafe_address.*This account cannot be used for “elsewhere.example”/s,
    )
    expect(await curl("-i", "-X", "TRACE", "http://account/x")).toMatch(/^HTTP\/1\.1 405 /)
    expect(received.length).toBe(before)
  })

  it("ends requests in progress when it is closed, and accepts no more", async () => {
    const waiting = curl("http://account/slow")
    await expect.poll(() => received.at(-1)?.url).toBe("/slow")
    proxy.close()
    await expect(waiting).rejects.toThrow()
    await expect(curl("http://account/a")).rejects.toThrow()
  })
})
