// Many tabs of one inbox: they share one event stream, the next tab takes it over when the first is closed, and people
// who share a browser do not share it.

import { form, text } from "@holdpoint/hub"
import { verifies } from "@holdpoint/testkit/verifies"
import type { BrowserContext, Page, Request } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
  const left = await stage.server.hub.list({ tenant: "local", state: "open", limit: 100 })
  await Promise.all(left.map(({ id }) => stage.server.hub.cancel(id)))
})

const ask = (subject: string, message: string) =>
  stage.server.hub.ask({
    ...{ form: form({ name: text({ title: "Name" }) }), message, audience: stage.person(subject) },
    requester: { id: "travel", name: "Travel desk" },
  })

/** The streams that this browser has open now. */
function countStreams(context: BrowserContext): { readonly open: () => number } {
  const open = new Set<Request>()
  const isStream = (url: string): boolean => url.endsWith("/inbox/events")
  context.on("request", (request) => isStream(request.url()) && open.add(request))
  context.on("requestfailed", (request) => open.delete(request))
  context.on("requestfinished", (request) => open.delete(request))
  // The requests of a tab that was closed are not reported as failed.
  return { open: () => [...open].filter((request) => !request.frame().page().isClosed()).length }
}

async function openTabs(user: string, count: number) {
  const first = await stage.arriveAs(user)
  const streams = countStreams(first.context())
  const tabs: Page[] = [first]
  while (tabs.length < count) tabs.push(await first.context().newPage())
  for (const tab of tabs) {
    await tab.goto(`${stage.server.publicUrl}/inbox`)
    await tab.getByText("No questions are waiting for you").waitFor()
    // Waits until the first tab has the stream, before the next tab opens.
    await expect.poll(streams.open, { timeout: 10_000 }).toBeGreaterThan(0)
  }
  return { tabs, streams }
}

describe("the tabs of one inbox", () => {
  verifies("page.inbox-one-stream", "all follow through one stream, and the browser can still fetch", async () => {
    const { tabs, streams } = await openTabs("alice", 7)
    expect(streams.open()).toBe(1)
    const fetched = await tabs[6]!.evaluate("fetch('/account').then(({ status }) => status)")
    expect(fetched).toBe(200)
    await ask("alice", "Which train?")
    for (const tab of tabs) await tab.getByText("Which train?").waitFor()
  })

  verifies("page.inbox-one-stream", "continue when the tab with the stream is closed", async () => {
    const { tabs, streams } = await openTabs("alice", 3)
    await tabs[0]!.close()
    await ask("alice", "While no tab has the stream?")
    for (const tab of tabs.slice(1)) await tab.getByText("While no tab has the stream?").waitFor()
    await expect.poll(streams.open, { timeout: 10_000 }).toBe(1)
    await ask("alice", "And afterwards?")
    for (const tab of tabs.slice(1)) await tab.getByText("And afterwards?").waitFor()
  })

  it("continue when the tab with the stream opens another page and goes back", async () => {
    const { tabs } = await openTabs("alice", 2)
    await tabs[0]!.goto(`${stage.server.publicUrl}/account`)
    await ask("alice", "Which bus?")
    await tabs[1]!.getByText("Which bus?").waitFor()
    await tabs[0]!.goBack()
    await tabs[0]!.getByText("Which bus?").waitFor()
    await ask("alice", "Which boat?")
    for (const tab of tabs) await tab.getByText("Which boat?").waitFor()
  })

  it("shows a question that was asked while the tab was loading its script", async () => {
    const { tabs } = await openTabs("alice", 1)
    const late = await tabs[0]!.context().newPage()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await late.route("**/shared-stream.js*", async (route) => {
      await released
      await route.continue()
    })
    await late.goto(`${stage.server.publicUrl}/inbox`, { waitUntil: "commit" })
    await late.getByText("No questions are waiting for you").waitFor()
    await ask("alice", "Which ferry?")
    await tabs[0]!.getByText("Which ferry?").waitFor()
    release()
    await late.getByText("Which ferry?").waitFor()
  })

  it("continue when the tab with the stream is suspended: a visible tab takes it over", async () => {
    const { tabs, streams } = await openTabs("alice", 2)
    // Suspends the tab with the stream, as browsers do in the background, so that it neither receives nor sends
    // messages.
    const inspector = await tabs[0]!.context().newCDPSession(tabs[0]!)
    await inspector.send("Debugger.enable")
    const paused = new Promise((resolve) => inspector.once("Debugger.paused", resolve))
    await tabs[0]!.evaluate("void setTimeout(() => { debugger }, 0)")
    await paused
    await tabs[1]!.bringToFront()
    await tabs[1]!.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect.poll(streams.open, { timeout: 20_000 }).toBe(2)
    await ask("alice", "Which plane?")
    await tabs[1]!.getByText("Which plane?").waitFor()
    await inspector.send("Debugger.resume")
    await expect.poll(streams.open, { timeout: 20_000 }).toBe(1)
  })
})

describe("two people who use one browser in turn", () => {
  it("have separate streams: the second person sees their own questions", async () => {
    const { tabs, streams } = await openTabs("alice", 1)
    const bob = await stage.arriveAs("bob")
    const context = tabs[0]!.context()
    await context.addCookies(await bob.context().cookies())
    const tab = await context.newPage()
    await tab.goto(`${stage.server.publicUrl}/inbox`)
    await tab.getByText("No questions are waiting for you").waitFor()
    // A tab that joins another tab's stream reads its page again, and would find a question that is asked before.
    await expect.poll(streams.open, { timeout: 10_000 }).toBe(2)
    await ask("bob", "For bob?")
    await tab.getByText("For bob?").waitFor()
    expect(await tabs[0]!.getByText("For bob?").count()).toBe(0)
  })
})
