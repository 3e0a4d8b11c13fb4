// Where a token may be, and the answer to a caller without one.

import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { maxTokenLength } from "../../../src/identity/resource/bearer.ts"
import { refusals } from "../../../src/identity/resource/refusals.ts"
import type { TestIssuer } from "./setup.ts"
import { byJwt, createWorld, describeOutcome, requestWith, resource, startIssuer } from "./setup.ts"

let corp: TestIssuer
beforeAll(async () => {
  corp = await startIssuer()
})
afterAll(() => corp.close())

const metadataUrl = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
const withHeader = (authorization: string): Request => new Request(resource, { headers: { authorization } })

describe("a request without a token", () => {
  it.each(["", "Basic YTpi", "DPoP abc", "Bearerabc", "token abc"])(
    "gets the address of the metadata, and no error (%j)",
    async (header) => {
      const { server } = createWorld([byJwt(corp)], { requires: ["notes.read"] })
      const answer = (await server.authenticate(header === "" ? new Request(resource) : withHeader(header))) as Response
      expect(answer.status).toBe(401)
      expect(answer.headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${metadataUrl}", scope="notes.read"`,
      )
      expect(answer.headers.get("cache-control")).toBe("no-store")
    },
  )

  verifies("caller.one-token-in-the-header", "is also one that has the token in a form", async () => {
    const { server } = createWorld([byJwt(corp)])
    const body = new URLSearchParams({ access_token: await corp.sign() })
    const request = new Request(resource, { method: "POST", body })
    expect(await describeOutcome(await server.authenticate(request))).toMatch(/^401 unauthorized: /)
    expect(request.bodyUsed).toBe(false)
  })
})

describe("a token", () => {
  it.each(["Bearer", "bearer", "BEARER"])("is accepted after %s, in any letter case", async (scheme) => {
    const { server } = createWorld([byJwt(corp)])
    const answer = await server.authenticate(withHeader(`${scheme} ${await corp.sign()}`))
    expect(answer).not.toBeInstanceOf(Response)
  })

  verifies("caller.one-token-in-the-header", "in the address is refused, even beside one in the header", async () => {
    const { server } = createWorld([byJwt(corp)])
    const address = `${resource}?access_token=${await corp.sign()}`
    for (const request of [new Request(address), requestWith(await corp.sign(), address)])
      expect(await describeOutcome(await server.authenticate(request))).toMatch(
        /^400 invalid_request: A token in an address/,
      )
  })

  verifies("caller.one-token-in-the-header", "is refused when there are two, in one header or in two", async () => {
    const { server } = createWorld([byJwt(corp)])
    const [first, second] = [await corp.sign(), await corp.sign({ sub: "mallory" })]
    const headers = new Headers([
      ["authorization", `Bearer ${first}`],
      ["authorization", `Bearer ${second}`],
    ])
    const requests = [
      new Request(resource, { headers }),
      withHeader(`Bearer ${first},Bearer ${second}`),
      withHeader(`Basic YTpi, Bearer ${first}`),
    ]
    for (const request of requests)
      expect(await describeOutcome(await server.authenticate(request))).toMatch(
        /^400 invalid_request: There is more than one/,
      )
  })

  verifies("caller.one-token-in-the-header", "is refused when two headers come over a real wire", async () => {
    const { server } = createWorld([byJwt(corp)])
    const [first, second] = [await corp.sign(), await corp.sign({ sub: "mallory" })]
    const http = createServer(async (incoming, outgoing) => {
      const answer = await server.authenticate(toRequest(incoming))
      outgoing.writeHead(answer instanceof Response ? answer.status : 200).end()
    })
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
    const lines = ["POST /mcp HTTP/1.1", "Host: mcp.example.com", "Connection: close", "Content-Length: 0"]
    const status = await speak((http.address() as AddressInfo).port, [
      ...lines,
      `Authorization: Bearer ${first}`,
      `Authorization: Bearer ${second}`,
    ])
    expect(status).toBe("HTTP/1.1 400 Bad Request")
    http.close()
  })

  verifies("caller.one-token-in-the-header", "that is oversized is refused without asking its issuer", async () => {
    const { server } = createWorld([byJwt(corp)])
    const before = corp.asked.length
    const long = await corp.sign({ more: "x".repeat(maxTokenLength) })
    expect(await describeOutcome(await server.authenticate(requestWith(long)))).toBe(
      `400 invalid_request: The token is longer than ${maxTokenLength} characters.`,
    )
    expect(corp.asked.length).toBe(before)
  })

  it.each(["", "a b", "a,b", 'a"b', "a=b", "é", "=="])("is refused when malformed (RFC 6750): %j", async (text) => {
    const { server } = createWorld([byJwt(corp)])
    expect(await describeOutcome(await server.authenticate(withHeader(`Bearer ${text}`)))).toMatch(
      /^400 invalid_request: /,
    )
  })

  it.each(["undefined", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", ".", "..", "a.b.c.d.e"])(
    "without readable claims has an unknown issuer: %j",
    async (text) => {
      expect(await createWorld([byJwt(corp)]).outcomeOf(text)).toBe(`401 invalid_token: ${refusals.unknown_issuer}`)
    },
  )
})

describe("what a caller is told", () => {
  it.each(Object.entries(refusals))("fits into a header (%s)", (_name, words) => {
    expect(words).toMatch(/^[\x20\x21\x23-\x3c\x3e-\x5b\x5d-\x7e]{10,200}$/)
  })

  verifies(
    "caller.finds-the-way",
    "names the error, the metadata and the scopes that a caller needs here",
    async () => {
      const { call } = createWorld([byJwt(corp)], { requires: ["notes.read", "profile"] })
      const answer = (await call(await corp.sign({ aud: "https://other.example" }))) as Response
      expect(answer.headers.get("www-authenticate")).toBe(
        `Bearer error="invalid_token", error_description="${refusals.audience}", ` +
          `resource_metadata="${metadataUrl}", scope="notes.read profile"`,
      )
    },
  )
})

/** With every header line that came, as a server should hand them on. */
function toRequest({ method = "GET", url = "/", rawHeaders }: IncomingMessage): Request {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "")
  return new Request(new URL(url, resource), { method, headers })
}

function speak(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`))
    socket.on("data", (chunk) => {
      heard += chunk.toString()
    })
    socket.on("end", () => resolve(heard.split("\r\n")[0] ?? ""))
    socket.on("error", reject)
  })
}
