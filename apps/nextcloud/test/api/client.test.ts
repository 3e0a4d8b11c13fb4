// The client below all tools: arguments cannot change a request's headers or path, and an unknown outcome of a write is
// reported.

import { HoldpointError } from "@holdpoint/hub"
import { describe, expect, it } from "vitest"
import { createNextcloud } from "../../src/api/client.ts"
import { encodePath } from "../../src/api/dav.ts"
import { nextcloudError } from "../../src/api/error.ts"
import type { NcRequest } from "../../src/api/nextcloud.ts"
import { fieldsOf, objectsOf } from "../../src/api/read.ts"

const activity = "trying it"

function open(answer: (tries: number) => Response | Promise<Response>) {
  const sent: string[] = []
  const nextcloud = createNextcloud({
    url: "http://cloud.test",
    facts: { hasShortAddresses: false },
    wait: async () => {},
    fetch: async (url) => answer(sent.push(url)),
  })
  const send = (request: Omit<NcRequest, "activity">) => nextcloud.send({ ...request, activity })
  return { send, sent, nextcloud }
}

const fine = (): Response => new Response("{}")

/** A response body that breaks off. */
const broken = (): Response =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"a":')),
      pull: (stream) => stream.error(new TypeError("terminated")),
    }),
  )

describe("a request", () => {
  it("is refused, not sent, when a header has a line break or another invalid character", async () => {
    const { send, sent } = open(fine)
    for (const value of ["a\r\nx-evil: 1", "a\nb", "caf\u00e9 \u2713"]) {
      const sending = send({ method: "PUT", path: "/x", headers: { "if-match": `"${value}"` } })
      await expect(sending).rejects.toMatchObject({ kind: "invalid", message: expect.stringContaining("if-match") })
    }
    expect(sent).toEqual([])
  })

  it.each(["/ocs/v2.php/search/providers/../search", "/apps/cookbook/api/v1/search/..", "/a/./b", "/a/%2E%2e/b"])(
    "is refused, not sent, when its path has dot segments: %s",
    async (path) => {
      const { send, sent } = open(fine)
      await expect(send({ path })).rejects.toMatchObject({ kind: "invalid" })
      expect(sent).toEqual([])
    },
  )

  it.each([["a\u0000b"], ["a\nb"], ["\ud83d"], [".."], ["a/../b"]])("refuses the invalid file path %j", (path) => {
    expect(() => encodePath(path)).toThrow(expect.objectContaining({ kind: "invalid" }))
  })

  it("encodes percent signs, question marks, hashes, semicolons and backslashes in names, and keeps dots", () => {
    expect(encodePath("/100%/a?b#c;d\\e/...x/%2e%2e")).toBe("/100%25/a%3Fb%23c%3Bd%5Ce/...x/%252e%252e")
  })
})

describe("a response", () => {
  it("that breaks off is requested again, and never taken for a complete one", async () => {
    const { send, sent } = open((tries) => (tries < 3 ? broken() : fine()))
    expect((await send({ path: "/x" })).json()).toEqual({})
    expect(sent).toHaveLength(3)
    await expect(open(broken).send({ path: "/x" })).rejects.toMatchObject({ kind: "unavailable" })
  })

  it("to a write that is lost causes an error saying that the write may have been made", async () => {
    const lost = open(broken)
    await expect(lost.send({ method: "POST", path: "/x" })).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("may have been made"),
    })
    expect(lost.sent).toHaveLength(1)
    const reset = open(() => {
      throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } })
    })
    await expect(reset.send({ method: "POST", path: "/x" })).rejects.toThrow("may have been made")
    const refused = open(() => {
      throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })
    })
    await expect(refused.send({ method: "POST", path: "/x" })).rejects.not.toThrow("may have been made")
  })

  it("with WebDAV's 503 for a disabled account causes an error saying that the account is disabled", async () => {
    const body =
      '<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:message>OC\\User\\DisabledUserException: Account disabled</s:message></d:error>'
    const { send, sent } = open(
      () => new Response(body, { status: 503, headers: { "content-type": "application/xml" } }),
    )
    const sending = send({ method: "PROPFIND", path: "/x" })
    await expect(sending).rejects.toMatchObject({ kind: "forbidden", status: 503 })
    await expect(sending).rejects.toThrow("this account is disabled")
    expect(sent).toHaveLength(1)
  })

  describe("with 500", () => {
    const page = { status: 500, headers: { "content-type": "text/html" } }
    /** Notes and Cookbook answer 500 when the account is full; the account's quota tells how much space is left. */
    function openWith(quota: { readonly free: number; readonly quota: number } | "unknown") {
      const asked: string[] = []
      const nextcloud = createNextcloud({
        url: "http://cloud.test",
        facts: { hasShortAddresses: false },
        wait: async () => {},
        fetch: async (url, { method = "GET" }) => {
          asked.push(`${method} ${new URL(url).pathname}`)
          if (!url.includes("/cloud/user") || quota === "unknown") return new Response("<html>", page)
          return Response.json({ ocs: { meta: { statuscode: 200 }, data: { id: "alice", quota } } })
        },
      })
      return { nextcloud, asked }
    }
    const write: NcRequest = {
      method: "POST",
      path: "/apps/notes/api/v1/notes",
      json: { content: "x".repeat(50) },
      activity,
    }

    it.each([
      ["nothing is free", { free: 0, quota: 1_000 }, "full"],
      ["too little is free", { free: 20, quota: 1_000 }, "full"],
      ["enough is free", { free: 500, quota: 1_000 }, "failed"],
      ["there is no limit", { free: -3, quota: -3 }, "failed"],
      ["the free space is unknown", "unknown", "failed"],
    ] as const)("to a write when %s is reported as %s", async (_case, quota, kind) => {
      const { nextcloud, asked } = openWith(quota)
      const written = nextcloud.send(write)
      await expect(written).rejects.toMatchObject({ kind, status: 500 })
      await expect(written).rejects.not.toThrow(/reachable|reached|try again later/i)
      expect(asked.filter((line) => line.startsWith("POST"))).toHaveLength(1)
    })

    it("to a read causes no further request, and is not reported as unreachable", async () => {
      const { nextcloud, asked } = openWith({ free: 0, quota: 1_000 })
      const read = nextcloud.send({ path: "/apps/notes/api/v1/notes", activity })
      await expect(read).rejects.toMatchObject({ kind: "failed" })
      await expect(read).rejects.not.toThrow(/reachable|reached|try again later/i)
      expect(asked).toHaveLength(1)
    })
  })

  it("that is too large is refused without quoting Nextcloud", async () => {
    const { send } = open(() => new Response("x".repeat(100)))
    const sending = send({ path: "/x", maxBytes: 10 })
    await expect(sending).rejects.toMatchObject({ kind: "too_large" })
    await expect(sending).rejects.not.toThrow("Nextcloud says")
  })
})

describe("a list", () => {
  it("may be an object with numeric keys, as PHP writes it, but nothing else", () => {
    const list = objectsOf({ "2": { id: 5 }, "7": { id: 6 } }, activity)
    expect(list.map((one) => one.number("id"))).toEqual([5, 6])
    for (const odd of [{ message: "no" }, {}, null, "x", { "1": { id: 5 }, message: "x" }])
      expect(() => objectsOf(odd, activity)).toThrow("expected a list")
  })

  it("has only an object's own members, never inherited ones", () => {
    const fields = fieldsOf(JSON.parse('{ "__proto__": { "id": 5 } }'), activity)
    expect(fields.maybeText("constructor")).toBeUndefined()
    expect(() => fields.number("id")).toThrow("expected a number")
    expect(() => fieldsOf({}, activity).text("toString")).toThrow("expected a text")
  })
})

describe("an error", () => {
  it("quotes Nextcloud only for what Nextcloud said", () => {
    const { message } = nextcloudError("malformed", { activity, detail: "no id", status: 200 })
    expect(message).toContain("cannot be understood (200): no id.")
    expect(message).not.toContain("Nextcloud says")
    expect(nextcloudError("invalid", { activity, detail: "Bad name" }).message).toContain("Nextcloud says: “Bad name”.")
  })
})

describe("a timeout", () => {
  const slow = new HoldpointError("provider_unavailable", "too long", { cause: { kind: "timeout" } })

  it.each([
    ["a signal", new DOMException("too long", "TimeoutError")],
    ["the guarded fetch", slow],
  ])("from %s is reported as a response that took too long, and not retried", async (_what, error) => {
    const { send, sent } = open(() => Promise.reject(error))
    await expect(send({ path: "/x" })).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("took too long"),
    })
    expect(sent).toHaveLength(1)
  })
})
