// The health checks for load balancers and supervisors: whether the process is alive, ready, or about to stop.

import { createMemoryStorage } from "@holdpoint/hub"
import { createTestClock } from "@holdpoint/testing"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it, onTestFinished } from "vitest"
import { createHealth } from "../src/serve/health.ts"

const started = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const runtime = createTestClock()
  const running = createWorld().start([...argv, "--json"], { env, runtime })
  const [, origin = ""] = await running.prints(/(http:\/\/127\.0\.0\.1:\d+)/)
  return { ...running, origin, runtime }
}

const nextcloud = ["nextcloud", "--host", "https://cloud.example.org", "--http", "0"]
const account = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "app-password" }

describe.each([
  { name: "holdpoint serve", argv: ["serve", "--port", "0", "--log", "off"], env: {} },
  { name: "holdpoint nextcloud --http", argv: nextcloud, env: account },
])("$name", ({ argv, env }) => {
  it("is alive and ready while it runs", async () => {
    const { origin, stop, done } = await started(argv, env)
    const alive = await fetch(`${origin}/healthz`)
    expect([alive.status, await alive.json()]).toEqual([200, { alive: true }])
    const ready = await fetch(`${origin}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, checks: { server: "ok", database: "ok" } }])
    expect(ready.headers.get("cache-control")).toBe("no-store")
    expect((await fetch(`${origin}/readyz`, { method: "POST" })).status).toBe(405)
    stop()
    expect((await done).code).toBe(0)
  })

  it("is not ready after SIGTERM, and still answers until its drain period ends", async () => {
    const { origin, stop, done, runtime } = await started(argv, { ...env, HOLDPOINT_DRAIN: "5s" })
    stop("SIGTERM")
    const ready = await fetch(`${origin}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, checks: { server: "stopping" } }])
    await runtime.advance(4_999)
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    await runtime.advance(1)
    expect((await done).code).toBe(0)
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow("fetch failed")
  })
})

it("holdpoint serve does not drain after Ctrl-C", async () => {
  const { stop, done } = await started(["serve", "--port", "0", "--log", "off"], { HOLDPOINT_DRAIN: "1h" })
  stop("SIGINT")
  expect((await done).code).toBe(0)
})

describe("a server whose database", () => {
  const ready = async (end: () => Promise<number>) => {
    const { mount } = createHealth({ storage: { trail: { ...trail, end } }, now: Date.now, withinMs: 50 })
    const response = await mount.fetch(new Request("http://127.0.0.1/readyz"))
    return { status: response.status, ...((await response.json()) as object) }
  }
  const { trail } = createMemoryStorage()

  it("cannot be reached says so, and nothing about the installation", async () => {
    const response = await ready(() => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.7:5432")))
    expect(response).toEqual({ status: 503, ready: false, checks: { server: "ok", database: "cannot be reached" } })
  })

  it("does not answer is not ready either", async () => {
    const response = await ready(() => new Promise(() => {}))
    expect(response).toMatchObject({ status: 503, ready: false, checks: { database: "no answer within 50 ms" } })
  })

  it("is queried once for all health checks within a second", async () => {
    let [asked, at] = [0, 1_000]
    const end = async (): Promise<number> => ++asked
    const { mount } = createHealth({ storage: { trail: { ...trail, end } }, now: () => at })
    const ask = () => mount.fetch(new Request("http://127.0.0.1/readyz"))
    await Promise.all([ask(), ask(), ask()])
    expect(asked).toBe(1)
    at += 1_000
    await ask()
    expect(asked).toBe(2)
    onTestFinished(() => mount.close())
  })
})
