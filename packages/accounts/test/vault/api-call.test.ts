// Calls to a provider's API as its data describes them.

import { HoldpointError } from "@holdpoint/hub"
import { createTestClock } from "@holdpoint/testing"
import { describe, expect, it } from "vitest"
import { callApi, isSuccess } from "../../src/vault/api-call.ts"
import type { Tools } from "../../src/vault/kind.ts"

const runtime = createTestClock()
const answering = (respond: (url: string, init: RequestInit) => Response | Promise<Response>): Tools => ({
  runtime,
  fetch: async (input, init = {}) => respond(String(input), init),
})
const get = { method: "GET", url: "https://api.example.org/me" } as const
const call = (respond: () => Response | Promise<Response>) => callApi(get, {}, answering(respond))

describe("a call", () => {
  it("sends what the provider's data says; the credentials take precedence", async () => {
    const seen: unknown[] = []
    const tools = answering((url, init) => {
      seen.push(url, init)
      return Response.json({})
    })
    const headers = { "x-version": "1", authorization: "none" }
    await callApi(
      { method: "POST", url: "https://a.example/", headers, body: "{}" },
      { authorization: "Bearer a" },
      tools,
    )
    const sent = { accept: "application/json", "x-version": "1", authorization: "Bearer a" }
    expect(seen).toEqual(["https://a.example/", { method: "POST", headers: sent, body: "{}", redirect: "manual" }])
  })

  it.each([200, 201, 204, 302, 400, 401, 403, 404])("with the status %d counts as answered", async (status) => {
    expect(await call(() => new Response(null, { status }))).toEqual({ kind: "answered", status, body: undefined })
  })

  it("returns the parsed JSON, and no body for a page or truncated JSON", async () => {
    expect(await call(() => Response.json({ a: [1] }))).toMatchObject({ body: { a: [1] } })
    expect(await call(() => new Response("<html>"))).toMatchObject({ kind: "answered", body: undefined })
    expect(await call(() => new Response('{"a":'))).toMatchObject({ kind: "answered", body: undefined })
  })

  it.each([429, 500, 502, 503])("with the status %d counts as unavailable, to be retried later", async (status) => {
    const answer = await call(() => new Response("secret words", { status, headers: { "retry-after": "7" } }))
    expect(answer).toMatchObject({ kind: "unavailable", retryAfterMs: 7000 })
    expect(JSON.stringify(answer)).not.toContain("secret words")
  })

  it("that fails says why in our words", async () => {
    const refused = new HoldpointError("unsafe_address", "No request is made there.")
    expect(await call(() => Promise.reject(refused))).toEqual({
      kind: "unavailable",
      reason: { code: "unsafe_address", message: "No request is made there." },
    })
    const failed = await call(() => Promise.reject(new TypeError("fetch failed: canary")))
    expect(failed).toMatchObject({ kind: "unavailable", reason: { code: "provider_unavailable" } })
    expect(JSON.stringify(failed)).not.toContain("canary")
  })

  it("whose response breaks off counts as unavailable", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) })
    expect(await call(() => new Response(body))).toMatchObject({ kind: "unavailable" })
  })
})

describe("success", () => {
  it("is any status from 200 to 299, or one that the provider's data lists", () => {
    expect([199, 200, 204, 299, 300].map((status) => isSuccess({}, status))).toEqual([false, true, true, true, false])
    expect([200, 404].map((status) => isSuccess({ accepts: [404] }, status))).toEqual([false, true])
  })
})
