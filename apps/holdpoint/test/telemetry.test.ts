// The telemetry of a server: log lines on standard error, and metrics for authorized readers only.

import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import * as api from "@opentelemetry/api"
import { TracerProvider } from "@opentelemetry/sdk-trace"
import { describe, expect, it, onTestFinished } from "vitest"
import { metricsMount, toMetrics } from "../src/serve/telemetry.ts"

const token = "a-token-of-the-settings"
const pages = { host: "127.0.0.1", port: 4650, isPortNamed: false, returnTargets: {}, openers: {} }

async function answerOne(log: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const world = createWorld()
  const server = world.start(["serve", "--local", "--port", "0", ...log], { env })
  const [, address = ""] = await server.prints(/Holdpoint is at (\S+) /)
  const asking = world.start(["ask", "Release the wombat?"])
  const [, link = ""] = await server.prints(/A question for you: (\S+) /)
  const browser = openJarBrowser()
  const page = await browser.open(link)
  expect((await browser.submit(page, { do: "decline" })).status).toBe(200)
  await asking.done
  return {
    address,
    async stop() {
      server.stop()
      const { err } = await server.done
      return err.split("\n").filter((line) => line.includes("elicitation."))
    },
  }
}

describe("holdpoint serve", () => {
  verifies(
    "telemetry.no-content",
    "logs the end of a question as text, without its message and the person",
    async () => {
      const lines = await (await answerOne([])).stop()
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(
        /^\S+Z info elicitation\.declined id=[0-9a-f-]{36} trigger=\w+ mode=form outcome=declined principal=[\w-]{22} duration_ms=\d+$/,
      )
    },
  )

  it("logs as JSON with --log json, and nothing with HOLDPOINT_LOG=off", async () => {
    const lines = await (await answerOne(["--log", "json"])).stop()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "info", event: "elicitation.declined" }])
    expect(await (await answerOne([], { HOLDPOINT_LOG: "off" })).stop()).toEqual([])
  })

  it("logs failures in the background as JSON", async () => {
    // Nothing listens there.
    const slack = { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1", SLACK_API_URL: "http://127.0.0.1:9/api/" }
    const server = createWorld().start(["serve", "--port", "0", "--log", "json"], { env: slack })
    await server.prints(/background\.failed/)
    await server.prints(/Holdpoint is at (\S+) /)
    server.stop()
    const lines = (await server.done).err.split("\n").filter((line) => line.startsWith("{"))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "error", event: "background.failed", doing: "connecting to Slack", message: expect.any(String) },
    ])
  })

  it("refuses a log format that it does not have", async () => {
    const { code, err } = await createWorld().run(["serve", "--log", "xml"])
    expect(code).toBe(2)
    expect(err).toContain("text, json or off")
  })

  it("serves the metrics at the configured path, and nowhere without one", async () => {
    const on = await answerOne(["--log", "off"], { HOLDPOINT_TELEMETRY_METRICS: "/metrics" })
    const response = await fetch(`${on.address}/metrics`)
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const text = await response.text()
    expect(text).toMatch(/^holdpoint_elicitations_settled_total\{.*outcome="declined"\} 1$/m)
    expect(text).not.toContain("wombat")
    await on.stop()
    const off = await answerOne(["--log", "off"])
    expect(await (await fetch(`${off.address}/metrics`)).text()).not.toContain("holdpoint_elicitations")
    await off.stop()
  })
})

describe("holdpoint nextcloud --http", () => {
  it("serves the metrics at the configured path", async () => {
    const env = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "app-password" }
    const argv = ["nextcloud", "--host", "https://cloud.example.org", "--http", "0", "--json"]
    const running = createWorld().start(argv, { env: { ...env, HOLDPOINT_TELEMETRY_METRICS: "/metrics" } })
    const [, origin = ""] = await running.prints(/(http:\/\/127\.0\.0\.1:\d+)/)
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain("holdpoint_elicitations_open 0")
    running.stop()
    await running.done
  })
})

describe("a registered OpenTelemetry SDK", () => {
  verifies("telemetry.spans", "gets the spans of holdpoint serve", async () => {
    const spans: string[] = []
    const onEnd = ({ name }: { readonly name: string }): void => void spans.push(name)
    const processor = { onStart: () => {}, onEnd, forceFlush: async () => {}, shutdown: async () => {} }
    api.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }))
    onTestFinished(() => api.trace.disable())
    await (await answerOne(["--log", "off"])).stop()
    expect(spans).toEqual(["elicitation.wait", "elicitation.declined"])
  })
})

describe("the metrics", () => {
  it("are refused at the start when other machines could read them without a token", () => {
    const telemetry = { metrics: "/metrics" }
    expect(toMetrics({ telemetry, pages })).toEqual({ path: "/metrics" })
    for (const reachable of [
      { ...pages, host: "0.0.0.0" },
      { ...pages, publicUrl: "https://hub.example" },
    ]) {
      expect(() => toMetrics({ telemetry, pages: reachable })).toThrow(/other machines/)
      expect(toMetrics({ telemetry: { ...telemetry, metricsToken: token }, pages: reachable })).toEqual({
        path: "/metrics",
        token,
      })
    }
  })

  it.each([
    [{ metrics: "metrics" }, /cannot be “metrics”/],
    [{ metrics: "/inbox/metrics" }, /path that no page has/],
    [{ metrics: "/metrics", metricsToken: "short" }, /at least 16/],
    [{ metricsToken: token }, /telemetry\.metrics is not/],
  ])("are refused with settings such as %j", (telemetry, words) => {
    expect(() => toMetrics({ telemetry, pages })).toThrow(words)
  })

  it("are returned only to readers with the token, if there is one", async () => {
    const mount = metricsMount(() => "numbers", { path: "/metrics", token })
    const get = (authorization?: string) =>
      mount.fetch(
        new Request("https://hub.example/metrics", authorization === undefined ? {} : { headers: { authorization } }),
      )
    expect(await (await get(`Bearer ${token}`)).text()).toBe("numbers")
    for (const wrong of [undefined, "Bearer", `Bearer ${token}x`, token, `Basic ${token}`]) {
      const response = await get(wrong)
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain("numbers")
    }
  })

  it("without a token are not given to a page that reaches this machine under another name", async () => {
    const mount = metricsMount(() => "numbers", { path: "/metrics" })
    const at = (origin: string) => mount.fetch(new Request(`${origin}/metrics`)).then(({ status }) => status)
    expect(await at("http://rebound.example:4650")).toBe(421)
    expect(await Promise.all(["http://127.0.0.1:4650", "http://localhost:4650", "http://[::1]:4650"].map(at))).toEqual([
      200, 200, 200,
    ])
  })
})
