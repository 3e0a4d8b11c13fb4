// Presses at random times and places in an inbox that changes.

import type { ServerResponse } from "node:http"
import { choice, form } from "@holdpoint/hub"
import { expectAimedPresses, mostQuestions, openPage, type Scene, visibleActs, words } from "@holdpoint/testkit/presses"
import { items, now } from "@holdpoint/testkit/server/web/samples"
import type { BrowserContextOptions } from "playwright-core"
import { expect, it } from "vitest"
import { type InboxItem, inboxPage } from "../../src/web/index.ts"
import { serve } from "./serve.ts"

const requestedSchema = form({ confirmed: choice(words) })

it("presses in the inbox reach nothing but what the person aimed at", () => expectAimedPresses(openInbox, "mouse"))

async function openInbox(options: BrowserContextOptions): Promise<Scene> {
  const page = await openPage(options)
  const listeners: ServerResponse[] = []
  let lastId = 0
  let open: readonly InboxItem[] = []
  const question = (): InboxItem => {
    const id = `q${++lastId}`
    const elicitation = { ...items.approval.elicitation, id, requestedSchema, expiresAt: now + 3_600_000 }
    return { ...items.approval, elicitation, href: `/inbox/${id}`, action: `/inbox/${id}` } as InboxItem
  }
  const who = { signedInAs: "alice", csrf: "c5rf", now }
  const served = await serve((path) =>
    path === "inbox"
      ? inboxPage({ ...who, items: open, eventsUrl: "/inbox/events", streamName: "inbox" })
      : (response) => void listeners.push(response.writeHead(200, { "content-type": "text/event-stream" })),
  )
  const shows = async (next: readonly InboxItem[]): Promise<void> => {
    open = next
    for (const listener of listeners) listener.write("data: {}\n\n")
    const ids = JSON.stringify(open.map(({ elicitation }) => elicitation.id))
    const presentIds = `JSON.stringify([...document.querySelectorAll("[data-question]")].map((one) => one.dataset.question))`
    await expect.poll(() => page.evaluate(presentIds), { interval: 5 }).toBe(ids)
  }
  // The page stays where it is.
  await page.route("**/inbox/q*", (route) => route.fulfill({ status: 204 }))
  await page.goto(`${served.origin}/inbox`)
  await page.evaluate(`window.effects = []
  addEventListener("submit", ({ target, submitter, defaultPrevented }) => {
    if (!defaultPrevented) effects.push(target.action.split("/").pop() + " " + submitter.textContent)
  })`)
  await expect.poll(() => listeners.length).toBeGreaterThan(0)
  await shows([question(), question(), question()])
  return {
    page,
    async change(random) {
      const isFull = open.length >= mostQuestions
      if (!isFull && (open.length < 2 || random.below(2) === 0)) return shows([...open, question()])
      const withdrawn = random.of(open)
      return shows(open.filter((one) => one !== withdrawn))
    },
    acts: () => page.evaluate(visibleActs("[data-question]", "card.dataset.question")),
    async effects() {
      const seen = await page.evaluate<readonly string[]>("document.activeElement?.blur(); effects.splice(0)")
      const answered = new Set(seen.map((name) => name.split(" ")[0]))
      if (seen.length > 0) await shows(open.filter(({ elicitation }) => !answered.has(elicitation.id)))
      return seen
    },
    async close() {
      await page.context().close()
      await served.close()
    },
  }
}
