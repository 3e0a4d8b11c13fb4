// Requests to Nextcloud: which are retried, how errors are worded, and the limits of size and time.

import { createStandIn, type StandInOptions } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { type ClientOptions, createNextcloud } from "../src/api/client.ts"
import type { NcRequest } from "../src/api/nextcloud.ts"
import { ocs } from "../src/api/ocs.ts"

const activity = "trying something"

interface Tried {
  readonly words: string
  readonly kind: string | undefined
  readonly tries: number
  readonly pauses: readonly number[]
  readonly status: number | undefined
}

type Answer = () => Response | Promise<Response>

/** Sends these responses in order, and repeats the last one. */
async function attempt(
  answers: readonly Answer[],
  request: Partial<NcRequest> = {},
  more: Partial<ClientOptions> = {},
) {
  const pauses: number[] = []
  let tries = 0
  const nextcloud = createNextcloud({
    url: "http://cloud.test",
    facts: { hasShortAddresses: false },
    wait: async (ms) => void pauses.push(ms),
    fetch: async () => {
      const answer = answers[Math.min(tries++, answers.length - 1)]
      if (answer === undefined) throw new Error("There is no answer.")
      return answer()
    },
    ...more,
  })
  const tried = await nextcloud.send({ path: "/apps/notes/api/v1/notes", activity, ...request }).then(
    ({ status }) => ({ status, words: "", kind: undefined }),
    (error: Error & { kind?: string; status?: number }) => ({
      words: error.message,
      kind: error.kind,
      status: error.status,
    }),
  )
  return { ...tried, tries, pauses } satisfies Tried
}

const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  () =>
    new Response(body, { status: code, headers })

const fine = status(200, {}, "{}")

const fails =
  (code: string): Answer =>
  async () => {
    throw Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error("no"), { code }) })
  }

const readers = ["GET", "HEAD", "PROPFIND", "REPORT", "SEARCH", "OPTIONS"]
const writers = ["POST", "PUT", "PATCH", "DELETE", "MKCOL", "MOVE", "COPY", "PROPPATCH"]

describe("a read", () => {
  it.each(readers)("%s is tried three times on gateway errors, with growing pauses", async (method) => {
    for (const code of [502, 503, 504]) {
      expect(await attempt([status(code)], { method })).toMatchObject({
        tries: 3,
        pauses: [250, 1000],
        kind: "unavailable",
      })
      expect(await attempt([status(code), fine], { method })).toMatchObject({ tries: 2, status: 200 })
    }
  })

  it.each(["ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "EPIPE"])("is retried after %s", async (code) => {
    expect(await attempt([fails(code), fails(code), fine])).toMatchObject({ tries: 3, status: 200 })
    const { words, kind } = await attempt([fails(code)])
    expect(kind).toBe("unavailable")
    expect(words).toBe(
      `Trying something failed: Nextcloud cannot be reached (${code}). Try again later. If it keeps failing, tell the user that their Nextcloud is not reachable.`,
    )
  })

  it.each([
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "CERT_HAS_EXPIRED",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ])("is not retried after %s, which a person has to fix", async (code) => {
    const tried = await attempt([fails(code)])
    expect(tried).toMatchObject({ tries: 1, kind: "unavailable" })
    expect(tried.words).toMatch(new RegExp(`Nextcloud's certificate is not accepted \\(${code}\\).*doctor`))
  })

  it.each([400, 401, 403, 404, 405, 409, 412, 413, 429, 500, 501, 507])("is not retried after %i", async (code) => {
    expect(await attempt([status(code)])).toMatchObject({ tries: 1, pauses: [], status: code })
  })
})

describe("a write", () => {
  it.each(writers)("%s is not retried when its outcome is unknown", async (method) => {
    for (const answer of [status(502), status(503), status(504), fails("ECONNRESET"), fails("ETIMEDOUT")])
      expect((await attempt([answer, fine], { method })).tries).toBe(1)
  })

  it.each(writers)("%s is retried when nothing can have been done", async (method) => {
    for (const answer of [fails("ECONNREFUSED"), fails("ENOTFOUND"), fails("EAI_AGAIN"), status(423)])
      expect(await attempt([answer, fine], { method })).toMatchObject({ tries: 2, status: 200 })
  })

  it("that is repeatable is retried like a read", async () => {
    expect(await attempt([status(503), fine], { method: "PUT", repeatable: true })).toMatchObject({ tries: 2 })
  })
})

describe("a refusal", () => {
  it.each<[number, string, RegExp]>([
    [400, "invalid", /rejected the request as invalid \(400\).*Check the arguments/],
    [401, "unauthorized", /does not accept the credentials \(401\)/],
    [403, "forbidden", /may not do that \(403\).*Do not try again/],
    [404, "not_found", /not found \(404\).*List or search first/],
    [410, "not_found", /not found/],
    [405, "unsupported", /this server does not support that/],
    [409, "conflict", /changed since it was read, or it already exists \(409\)/],
    [412, "conflict", /changed since it was read.*Read it again, merge.*etag/],
    [413, "too_large", /too large/],
    [423, "locked", /locked because someone.*Nothing was changed/],
    [429, "throttled", /too many requests.*Wait a few minutes/],
    [500, "failed", /internal error \(500\).*Check whether the change was made/],
    [507, "full", /no space left \(507\).*free some space/],
    [302, "malformed", /redirects elsewhere.*check it/],
    [418, "invalid", /\(418\)/],
  ])("with %i is %s, and says what to do", async (code, kind, words) => {
    const tried = await attempt([status(code)], { method: "POST" })
    expect(tried.kind).toBe(kind)
    expect(tried.words).toMatch(words)
    expect(tried.words).toMatch(/^Trying something failed: /)
  })

  it("has a short message, however long the name of the object is", async () => {
    expect((await attempt([status(404)], { activity: `reading ${"x".repeat(9_000)}` })).words.length).toBeLessThan(600)
  })

  it("because of too many requests is not retried, even with Retry-After", async () => {
    expect(await attempt([status(429)])).toMatchObject({ tries: 1 })
    expect(await attempt([status(429, { "retry-after": "1" })])).toMatchObject({ tries: 1 })
  })

  it("for maintenance says so, and is not retried", async () => {
    const tried = await attempt([status(503, { "x-nextcloud-maintenance-mode": "1" })])
    expect(tried).toMatchObject({ tries: 1, kind: "unavailable" })
    expect(tried.words).toMatch(/maintenance mode/)
  })

  it("quotes the server's message from XML, OCS or JSON, but never a whole page", async () => {
    const xml =
      '<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:message>Locked by bob</s:message></d:error>'
    const json = { "content-type": "application/json" }
    const ocsBody = JSON.stringify({ ocs: { meta: { message: "Wrong share" } } })
    expect((await attempt([status(403, { "content-type": "application/xml" }, xml)])).words).toContain(
      "“Locked by bob”",
    )
    expect((await attempt([status(404, json, ocsBody)])).words).toContain("“Wrong share”")
    expect((await attempt([status(400, json, '{"error":"no title"}')])).words).toContain("“no title”")
    expect((await attempt([status(400, json, '{"broken')])).words).not.toContain("says")
    expect(
      (await attempt([status(400, json, JSON.stringify({ message: "x".repeat(5_000) }))])).words.length,
    ).toBeLessThan(500)
    const page = status(403, { "content-type": "text/html" }, "<html><p>Forbidden by the firewall</p></html>")
    expect((await attempt([page])).words).not.toContain("firewall")
  })

  it("of the credentials includes the configured advice", async () => {
    const unauthorizedAdvice = "Set NEXTCLOUD_PASSWORD again."
    expect((await attempt([status(401)], {}, { unauthorizedAdvice })).words).toContain(unauthorizedAdvice)
  })

  it("in an OCS envelope is an error, even with HTTP status 200", async () => {
    const send = (statuscode: number) =>
      ocs(
        createNextcloud({
          url: "http://cloud.test",
          facts: { hasShortAddresses: false },
          fetch: async () =>
            Response.json({ ocs: { meta: { status: "failure", statuscode, message: "Why" }, data: [] } }),
        }),
        { path: "/x", activity },
      )
    await expect(send(997)).rejects.toMatchObject({ kind: "unauthorized" })
    await expect(send(998)).rejects.toMatchObject({ kind: "not_found" })
    await expect(send(996)).rejects.toMatchObject({ kind: "failed" })
    // An error without a known code does not mean that Nextcloud cannot be reached.
    await expect(send(999)).rejects.toMatchObject({ kind: "failed" })
    await expect(send(403)).rejects.toMatchObject({ kind: "forbidden" })
    await expect(send(101)).rejects.toMatchObject({ kind: "invalid", message: expect.stringContaining("“Why”") })
    await expect(send(100)).resolves.toMatchObject({ status: 100 })
  })
})

describe("a response", () => {
  it("over the size limit is refused, with or without Content-Length", async () => {
    const long = new Uint8Array(2_000)
    const announced = await attempt([() => new Response(long, { headers: { "content-length": "2000" } })], {
      maxBytes: 1_000,
    })
    const unannounced = await attempt([() => new Response(new Blob([long]).stream())], { maxBytes: 1_000 })
    for (const tried of [announced, unannounced]) expect(tried).toMatchObject({ kind: "too_large", tries: 1 })
    expect(await attempt([() => new Response(long)], { maxBytes: 2_000 })).toMatchObject({ status: 200 })
  })

  it("that begins and never ends is given up, and not requested again", async () => {
    const endless = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
    const tried = await attempt([endless, fine], {}, { bodyMs: 1 })
    expect(tried).toMatchObject({ tries: 1, kind: "unavailable" })
    expect(tried.words).toContain("took too long to answer")
    expect((await attempt([endless], { method: "POST" }, { bodyMs: 1 })).words).toContain("may have been made")
  })

  it("with a status that the caller accepts is not an error", async () => {
    expect(await attempt([status(404)], { accept: [404] })).toMatchObject({ status: 404, words: "" })
  })

  it("that the caller no longer waits for is not requested again", async () => {
    const controller = new AbortController()
    const aborting: Answer = () => {
      controller.abort()
      return new Response("", { status: 503 })
    }
    expect(await attempt([aborting], { signal: controller.signal })).toMatchObject({ tries: 1 })
    const thrown: Answer = async () => {
      throw new DOMException("This operation was aborted", "AbortError")
    }
    expect(await attempt([thrown], { signal: controller.signal })).toMatchObject({ tries: 1, kind: undefined })
  })
})

describe("a request", () => {
  async function sent(request: Partial<NcRequest>) {
    let received: Request | undefined
    const nextcloud = createNextcloud({
      url: "http://cloud.test/sub",
      facts: { hasShortAddresses: false },
      async fetch(url, init) {
        received = new Request(url, init)
        return new Response("{}")
      },
    })
    await nextcloud.send({ path: "/apps/notes/x", activity, ...request })
    if (received === undefined) throw new Error("Nothing was sent.")
    return received
  }

  it("goes through index.php when it is for an app, and directly otherwise", async () => {
    expect((await sent({})).url).toBe("http://cloud.test/sub/index.php/apps/notes/x")
    expect((await sent({ path: "/remote.php/dav/" })).url).toBe("http://cloud.test/sub/remote.php/dav/")
  })

  it("encodes its query the way PHP reads it", async () => {
    const { url } = await sent({ query: { a: "x y&z", b: undefined, c: ["1", "2"], d: false } })
    expect(new URL(url).search).toBe("?a=x+y%26z&c%5B%5D=1&c%5B%5D=2&d=false")
  })

  it("has the header OCS-APIRequest, follows no redirects, and declares a JSON body", async () => {
    const request = await sent({ method: "POST", json: { a: 1 } })
    expect(request.headers.get("ocs-apirequest")).toBe("true")
    expect(request.headers.get("content-type")).toBe("application/json")
    expect(request.redirect).toBe("manual")
    expect(await request.json()).toEqual({ a: 1 })
  })
})

describe("a bearer token", () => {
  it("is accepted by the apps, which refuse it without OCS-APIRequest", async () => {
    const standIn = createStandIn({ seed: true })
    const { secret } = standIn.world.issue("alice", "a client", "oauth")
    const url = "http://localhost"
    const authorization = `Bearer ${secret}`
    const bare = await standIn.fetch(
      new Request(`${url}/index.php/apps/notes/api/v1/notes`, { headers: { authorization } }),
    )
    expect(bare.status).toBe(401)
    const nextcloud = createNextcloud({
      url,
      facts: {},
      fetch: (address, init) =>
        standIn.fetch(new Request(address, { ...init, headers: { ...(init.headers as object), authorization } })),
    })
    expect((await nextcloud.send({ path: "/apps/notes/api/v1/notes", activity })).status).toBe(200)
    expect(await nextcloud.userId()).toBe("alice")
    expect((await nextcloud.capabilities()).major).toBe(32)
  })
})

describe("the user id", () => {
  it("is looked up once for concurrent calls, and again after a failure", async () => {
    let asked = 0
    let works = false
    const standIn = createStandIn()
    const authorization = `Basic ${Buffer.from("alice:alice-Pass-2026").toString("base64")}`
    const nextcloud = createNextcloud({
      url: "http://localhost",
      facts: { hasShortAddresses: false },
      wait: async () => {},
      fetch: (address, init) => {
        asked++
        if (!works) return Promise.resolve(new Response("", { status: 500 }))
        return standIn.fetch(new Request(address, { ...init, headers: { ...(init.headers as object), authorization } }))
      },
    })
    await expect(nextcloud.userId()).rejects.toThrow()
    works = true
    asked = 0
    expect(await Promise.all([nextcloud.userId(), nextcloud.userId(), nextcloud.userId()])).toEqual([
      "alice",
      "alice",
      "alice",
    ])
    await nextcloud.userId()
    expect(asked).toBe(1)
  })
})

describe("a link", () => {
  const note = { path: "/apps/notes/api/v1/notes", activity }

  function at(options: StandInOptions, answer: (request: Request) => Response | undefined = () => undefined) {
    const standIn = createStandIn(options)
    const authorization = `Basic ${Buffer.from("alice:alice-Pass-2026").toString("base64")}`
    return createNextcloud({
      url: `http://localhost${options.path ?? ""}`,
      facts: {},
      wait: async () => {},
      fetch: async (address, init) => {
        const request = new Request(address, { ...init, headers: { ...(init.headers as object), authorization } })
        return answer(request) ?? standIn.fetch(request)
      },
    })
  }

  it.each<[string, StandInOptions, string]>([
    ["without index.php where pages have short addresses", {}, "http://localhost/apps/notes/note/5"],
    ["through index.php where they do not", { pretty: false }, "http://localhost/index.php/apps/notes/note/5"],
    ["in its folder", { path: "/cloud" }, "http://localhost/cloud/apps/notes/note/5"],
    ["in its folder", { path: "/cloud", pretty: false }, "http://localhost/cloud/index.php/apps/notes/note/5"],
  ])("has the server's own form after the first response: %s", async (_, options, link) => {
    const nextcloud = at(options)
    await nextcloud.send(note)
    expect(nextcloud.link("/apps/notes/note/5")).toBe(link)
  })

  it("goes through index.php when the server does not say, and the server is asked only once", async () => {
    let asked = 0
    const nextcloud = at({}, ({ url }) => {
      if (!url.includes("/cloud/capabilities")) return undefined
      asked++
      return new Response("", { status: 404 })
    })
    await nextcloud.send(note)
    await nextcloud.send(note)
    expect(nextcloud.link("/f/5")).toBe("http://localhost/index.php/f/5")
    expect(asked).toBe(1)
  })

  it("costs no request when the server refuses the credentials", async () => {
    const asked: string[] = []
    const nextcloud = at({}, ({ url }) => {
      asked.push(url)
      return new Response("", { status: 401 })
    })
    await expect(nextcloud.send(note)).rejects.toMatchObject({ kind: "unauthorized" })
    expect(asked).toHaveLength(1)
  })
})
