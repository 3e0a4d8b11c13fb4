// Presses at random times and places among the widget's cards, on a page that changes.

import { choice, form } from "@holdpoint/hub"
import { expectAimedPresses, mostQuestions, openPage, type Scene, visibleActs, words } from "@holdpoint/testkit/presses"
import { widgetScript } from "@holdpoint/widget/script"
import type { BrowserContextOptions } from "playwright-core"
import { it } from "vitest"

const requestedSchema = form({ confirmed: choice(words) })

it.each(["mouse", "touch"] as const)("presses by %s reach nothing but what the person aimed at", (pointer) =>
  expectAimedPresses(openCards, pointer),
)

/** A page that has a chat of its own, with each question as `<holdpoint-question>`. Its newest question may be first. */
async function openCards(options: BrowserContextOptions): Promise<Scene> {
  const page = await openPage(options)
  const script = await widgetScript()
  const body =
    '<!doctype html><html lang="en"><title>Cards</title><script type="module" src="/widget.js"></script><main></main>'
  await page.route("https://cards.test/**", (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ contentType: "text/javascript", body: script })
      : route.fulfill({ contentType: "text/html", body }),
  )
  await page.goto("https://cards.test/")
  await page.evaluate(cardsPage(JSON.stringify(requestedSchema)))
  for (const kind of [1, 1, 1]) await page.evaluate(`change(${kind}, 0, 0)`)
  return {
    page,
    change: (random) => page.evaluate(`change(${random.below(4)}, ${random.below(1_000)}, ${random.below(1_000)})`),
    acts: () => page.evaluate(visibleActs("holdpoint-question", "card.id")),
    effects: () => page.evaluate("effects.splice(0)"),
    close: () => page.context().close(),
  }
}

/** The script of that page. `change` lets a question appear, withdraws one, takes one away, or moves one elsewhere. */
const cardsPage = (schema: string): string => `
  window.effects = []
  let lastId = 0
  const main = document.querySelector("main")
  const open = () => [...main.children].filter((one) => one.question.type === "elicitation-request")
  const end = (one, status) => {
    one.question = { ...one.question, type: "elicitation-resolved", status }
  }
  const add = (at) => {
    const one = document.createElement("holdpoint-question")
    one.id = "q" + ++lastId
    one.question = {
      type: "elicitation-request", elicitationId: one.id, mode: "form", status: "pending",
      message: "Pay the invoice " + one.id + "?", requestedSchema: ${schema}, context: {},
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    }
    one.answer = async ({ action }) => {
      effects.push(one.id + " " + (action === "accept" ? ${JSON.stringify(words.yes)} : ${JSON.stringify(words.no)}))
      setTimeout(() => end(one, action === "accept" ? "completed" : "declined"))
    }
    main.insertBefore(one, main.children[at % (main.children.length + 1)] ?? null)
  }
  window.change = (kind, which, where) => {
    const questions = open()
    const chosen = questions[which % Math.max(questions.length, 1)]
    if (main.children.length > ${mostQuestions}) main.children[which % main.children.length].remove()
    else if (kind < 2 || chosen === undefined) add(where)
    else if (kind === 2) end(chosen, "cancelled")
    else main.insertBefore(chosen, main.children[where % main.children.length])
  }
`
