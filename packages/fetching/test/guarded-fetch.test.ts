// The guarded fetch against real servers on loopback: what it reaches, what it refuses, and where it stops reading.

import { getEventListeners } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { isHoldpointError } from "@holdpoint/hub"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, it, vi } from "vitest"
import { apiLimits, createGuardedFetch, failureOf, type GuardOptions, metadataLimits } from "../src/guarded-fetch.ts"

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

interface Site {
  readonly origin: string
  readonly port: number
  readonly requests: IncomingMessage[]
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void, host = "127.0.0.1") {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://${host}:${port}`, port, requests } satisfies Site
}

const hello = (_request: IncomingMessage, response: ServerResponse): void => void response.end("hello")
const local = (options: Partial<GuardOptions> = {}) =>
  createGuardedFetch({ ...metadataLimits, allowLoopback: true, ...options })
const failure = (request: Promise<unknown>) =>
  request.then(
    () => expect.fail("it succeeded"),
    (error: unknown) => ({ error, ...failureOf(error) }),
  )

describe("the guarded fetch", () => {
  it("returns the response of an allowed address", async () => {
    const { origin, requests } = await serve(hello)
    const response = await local()(`${origin}/a?b=c`)
    expect(await response.text()).toBe("hello")
    expect(response).toBeInstanceOf(Response)
    expect(response.url).toBe(`${origin}/a?b=c`)
    expect(requests[0]?.headers["user-agent"]).toBe("Holdpoint")
  })

  it("sends forms and files unchanged", async () => {
    const { origin } = await serve((request, response) => {
      response.setHeader("x-type", request.headers["content-type"] ?? "none")
      request.pipe(response)
    })
    const send = (body: NonNullable<RequestInit["body"]>) => local()(origin, { method: "POST", body })
    expect(await (await send(new URLSearchParams({ a: "b c" }))).text()).toBe("a=b+c")
    const form = new FormData()
    form.set("file", new Blob(["content"]), "ä.txt")
    const echoed = await send(form)
    expect(echoed.headers.get("x-type")).toMatch(/^multipart\/form-data; boundary=/)
    expect(await echoed.text()).toContain("content")
  })

  it("passes on responses without a body", async () => {
    const { origin } = await serve((_request, response) => void response.writeHead(204).end())
    expect((await local()(origin)).status).toBe(204)
    expect((await local()(origin, { method: "HEAD" })).body).toBeNull()
  })
})

describe("addresses", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "017700000001",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "localhost",
    "localhost.",
    "a.localhost",
    "0.0.0.0",
  ])("on this machine are not reached: %s", async (host) => {
    const { port, requests } = await serve(hello)
    for (const scheme of ["http", "https"]) {
      const { error, kind } = await failure(createGuardedFetch(metadataLimits)(`${scheme}://${host}:${port}/`))
      expect(kind).toBe("refused_address")
      expect(isHoldpointError(error) && error.code).toBe("unsafe_address")
    }
    expect(requests).toHaveLength(0)
  })

  it("are refused when they are invalid or contain a password, which is not repeated", async () => {
    expect((await failure(local()("not an address"))).kind).toBe("refused_address")
    const { error, kind } = await failure(local()("https://user:canary@example.org/"))
    expect(kind).toBe("refused_address")
    expect(String(error)).not.toContain("canary")
  })

  it.each([
    [["127.0.0.1"], "all of them private"],
    [["1.1.1.1", "127.0.0.1"], "one of them private"],
    [["2606:4700::1111", "::ffff:7f00:1"], "one of them mapped"],
    [["fe80::1%lo"], "with a zone"],
  ])("of a host name are refused: %j, %s", async (addresses) => {
    const { port, requests } = await serve(hello)
    const guarded = createGuardedFetch({
      ...metadataLimits,
      lookup: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    })
    expect((await failure(guarded(`https://rebind.example:${port}/`))).kind).toBe("refused_address")
    expect(requests).toHaveLength(0)
  })

  verifies(
    "fetch.public-hosts-only",
    "are looked up once per request, so a changed DNS answer leads to no other address",
    async () => {
      const { port, requests } = await serve((_request, response) => {
        response.setHeader("connection", "close").end("allowed")
      })
      const answers = ["127.0.0.1", "127.0.0.2"]
      let asked = 0
      const guarded = createGuardedFetch({
        ...metadataLimits,
        alsoAllow: ["127.0.0.1/32"],
        lookup: async () => [{ address: answers[asked++] ?? "127.0.0.2", family: 4 }],
      })
      const url = `http://rebind.example:${port}/`
      expect(await (await guarded(url)).text()).toBe("allowed")
      expect(asked).toBe(1)
      expect((await failure(guarded(url))).kind).toBe("refused_address")
      expect([asked, requests.length]).toEqual([2, 1])
    },
  )

  it("that the operator allows are reached over http, by range and by name", async () => {
    const { port } = await serve(hello)
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }]
    const byName = createGuardedFetch({ ...metadataLimits, alsoAllow: ["cloud.lan"], lookup })
    expect(await (await byName(`http://cloud.lan:${port}/`)).text()).toBe("hello")
    expect((await failure(byName(`http://other.lan:${port}/`))).kind).toBe("refused_address")
    const byRange = createGuardedFetch({ ...metadataLimits, alsoAllow: ["127.0.0.0/8"], lookup })
    expect(await (await byRange(`http://cloud.example:${port}/`)).text()).toBe("hello")
  })

  it("that do not exist or do not respond fail as network errors", async () => {
    const missing = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" })
    const guarded = createGuardedFetch({ ...metadataLimits, lookup: () => Promise.reject(missing) })
    expect(await failure(guarded("https://nowhere.example/"))).toMatchObject({ kind: "network", code: "ENOTFOUND" })
    const empty = createGuardedFetch({ ...metadataLimits, lookup: async () => [] })
    expect(await failure(empty("https://nowhere.example/"))).toMatchObject({ kind: "network" })
    expect(await failure(local()("http://127.0.0.1:9/"))).toMatchObject({ kind: "network" })
  })
})

describe("redirects", () => {
  const to = (location: string, status = 302) =>
    serve((_request, response) => void response.writeHead(status, { location }).end("moved"))

  it("are returned to the caller", async () => {
    const target = await serve(hello)
    const { origin } = await to(target.origin)
    const response = await local()(origin)
    expect([response.status, response.headers.get("location")]).toEqual([302, target.origin])
    expect(target.requests).toHaveLength(0)
  })

  it("are errors when the caller requests it", async () => {
    const { origin } = await to("/elsewhere")
    expect((await failure(local()(origin, { redirect: "error" }))).kind).toBe("network")
  })

  it("are followed on request, at most three", async () => {
    let left = 3
    const { origin } = await serve((_request, response) => {
      if (left-- > 0) response.writeHead(307, { location: "/next" }).end()
      else response.end("there")
    })
    const response = await local()(origin, { redirect: "follow" })
    expect([await response.text(), response.url]).toEqual(["there", `${origin}/next`])
    left = 4
    expect((await failure(local()(origin, { redirect: "follow" }))).kind).toBe("network")
  })

  verifies("fetch.public-hosts-only", "are checked at every hop", async () => {
    const inside = await serve(hello)
    const outside = await to(`http://localhost:${inside.port}/`)
    const guarded = createGuardedFetch({ ...metadataLimits, alsoAllow: [`127.0.0.1`] })
    expect((await failure(guarded(outside.origin, { redirect: "follow" }))).kind).toBe("refused_address")
    expect(inside.requests).toHaveLength(0)
  })

  verifies(
    "fetch.redirects-carry-nothing",
    "keep credentials within the origin, and send nothing that could be one to another origin",
    async () => {
      const target = await serve(hello)
      const { origin, requests } = await serve((request, response) => {
        const location = request.url === "/" ? "/again" : target.origin
        response.writeHead(302, { location }).end()
      })
      const headers = { authorization: "Bearer canary", cookie: "canary", "x-api-key": "canary", accept: "text/plain" }
      await local()(`${origin}/`, { headers, redirect: "follow" })
      expect(requests[1]?.headers.authorization).toBe("Bearer canary")
      expect(target.requests[0]?.headers.accept).toBe("text/plain")
      expect(JSON.stringify(target.requests[0]?.headers)).not.toContain("canary")
    },
  )

  it("turn a posted form into a GET after a 303, and send no body to another origin", async () => {
    const { origin, requests } = await serve((request, response) => {
      if (request.url === "/") response.writeHead(303, { location: "/done" }).end()
      else hello(request, response)
    })
    const init = { method: "POST", body: new URLSearchParams({ a: "b" }), redirect: "follow" } as const
    await local()(`${origin}/`, init)
    expect(requests[1]?.method).toBe("GET")
    expect(requests[1]?.headers["content-type"]).toBeUndefined()
    const target = await serve(hello)
    const away = await to(target.origin, 307)
    expect((await failure(local()(away.origin, init))).kind).toBe("network")
    expect(target.requests).toHaveLength(0)
  })
})

describe("limits", () => {
  const small = { maxBytes: 1000 }

  it("refuse a body with a declared size that is too large, before reading it", async () => {
    const { origin } = await serve((_request, response) => void response.end("x".repeat(1001)))
    expect((await failure(local(small)(origin))).kind).toBe("too_large")
  })

  it("cut off a large body without a declared size", async () => {
    const { origin } = await serve((_request, response) => {
      response.write("x".repeat(400))
      response.write("x".repeat(400))
      response.write("x".repeat(400))
    })
    const response = await local(small)(origin)
    expect((await failure(response.text())).kind).toBe("too_large")
  })

  verifies("fetch.bounded", "apply to the decompressed body", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb)
    })
    const response = await local({ maxBytes: 100_000 })(origin)
    expect(bomb.length).toBeLessThan(100_000)
    expect((await failure(response.arrayBuffer())).kind).toBe("too_large")
  })

  it("allow a body of exactly the limit", async () => {
    const { origin } = await serve((_request, response) => void response.end("x".repeat(1000)))
    expect(await (await local(small)(origin)).text()).toHaveLength(1000)
  })

  verifies("fetch.bounded", "end a request to a silent server, and a response that never ends", async () => {
    const silent = await serve(() => {})
    expect((await failure(local({ timeoutMs: 40 })(silent.origin))).kind).toBe("timeout")
    const endless = await serve((_request, response) => void response.write("a"))
    const response = await local({ timeoutMs: 2_000 })(endless.origin)
    const { kind, error } = await failure(response.text())
    expect(kind).toBe("timeout")
    expect(isHoldpointError(error) && error.code).toBe("provider_unavailable")
  })

  it("of API requests end with the headers", async () => {
    const held: ServerResponse[] = []
    const { origin } = await serve((_request, response) => {
      response.write("a")
      held.push(response)
    })
    const guarded = local({ ...apiLimits, timeoutMs: 2_000 })
    const reading = (await guarded(origin)).text()
    const silent = await serve(() => {})
    expect((await failure(guarded(silent.origin))).kind).toBe("timeout")
    held[0]?.end("b")
    expect(await reading).toBe("ab")
  })

  it("of one request may be longer, until the headers and while the body is silent", async () => {
    const answers: (() => void)[] = []
    const late = await serve((request, response) => {
      if (request.url === "/silent") response.write("begun ")
      answers.push(() => response.end("done"))
    })
    const guarded = local({ ...apiLimits, timeoutMs: 1_000, idleMs: 1_000 })
    const whole = guarded(late.origin, { timeoutMs: 60_000 }).then((response) => response.text())
    const held = guarded(`${late.origin}/silent`, { timeoutMs: 60_000 }).then((response) => response.text())
    await vi.waitUntil(() => answers.length === 2)
    // The others begin later and are given up first.
    const [cut, torn] = await Promise.all([
      failure(guarded(late.origin)),
      failure(guarded(`${late.origin}/silent`).then((response) => response.text())),
    ])
    for (const answer of answers) answer()
    expect(cut.kind).toBe("timeout")
    expect(await whole).toBe("done")
    expect(torn.kind).toBe("timeout")
    expect(await held).toBe("begun done")
  })

  it("of one request may be longer than any timer", async () => {
    const { origin } = await serve((_request, response) => void setTimeout(() => response.end("late"), 50))
    expect(await (await local(apiLimits)(origin, { timeoutMs: Number.POSITIVE_INFINITY })).text()).toBe("late")
  })

  it("do not hide an abort by the caller", async () => {
    const silent = await serve(() => {})
    const controller = new AbortController()
    const request = failure(local()(silent.origin, { signal: controller.signal }))
    controller.abort()
    expect(await request).toMatchObject({ kind: "aborted", error: controller.signal.reason })
  })

  it.each([
    ["on the whole response", metadataLimits],
    ["until the headers", apiLimits],
  ])("let the caller abort a body that does not end, with a time limit %s", async (_, limits) => {
    const endless = await serve((_request, response) => void response.write("begun"))
    const controller = new AbortController()
    const response = await local(limits)(endless.origin, { signal: controller.signal })
    const reading = failure(response.text())
    controller.abort()
    expect(await reading).toMatchObject({ kind: "aborted", error: controller.signal.reason })
  })

  it("send no request for a caller that has already aborted", async () => {
    const { origin, requests } = await serve(hello)
    expect(await failure(local()(origin, { signal: AbortSignal.abort() }))).toMatchObject({ kind: "aborted" })
    expect(requests).toHaveLength(0)
  })

  it("leave no abort listener on the caller's signal", async () => {
    const { origin } = await serve(hello)
    const none = await serve((_request, response) => void response.writeHead(204).end())
    const { signal } = new AbortController()
    await (await local()(origin, { signal })).text()
    await local()(none.origin, { signal })
    await (await local()(origin, { signal })).body?.cancel()
    await failure(local({ allowLoopback: false })(origin, { signal }))
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  it("close a connection when its body is cancelled", async () => {
    const closed = Promise.withResolvers<void>()
    const { origin } = await serve((_request, response) => {
      response.write("a")
      response.on("close", closed.resolve)
    })
    await (await local()(origin)).body?.cancel()
    await closed.promise
  })
})

describe("a failure", () => {
  it("is a network error when the response breaks off, and repeats none of it", async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" })
      response.write("canary")
      setImmediate(() => response.destroy())
    })
    const { kind, error } = await failure(local()(origin).then((response) => response.text()))
    expect(kind).toBe("network")
    expect(String(error)).not.toContain("canary")
  })

  it("is distinguished from other errors", () => {
    expect(failureOf(new Error("else"))).toBeUndefined()
    expect(failureOf(undefined)).toBeUndefined()
  })
})
