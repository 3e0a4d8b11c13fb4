// A visitor of the demo's chat in a real browser: presses buttons in the chat and in popups, and reads the replies.

import type { BrowserContextOptions, Locator, Page } from "playwright-core"
import { answerLabelsFor } from "../../../../packages/agents/src/approval.ts"
import type { Panel } from "../stories/panel-world.ts"

/** The buttons of the booking that a person approves. */
export const booking = answerLabelsFor("book_train")

export interface Visitor {
  readonly page: Page
  /** The chat. */
  readonly chat: Locator
  /** Every button and link that was pressed, in any window, in order. */
  readonly pressed: readonly string[]
  press(name: string): Promise<void>
  /** The window that opens when this button is pressed. */
  opens(name: string, from?: Page): Promise<Page>
  /** Resolves when a reply contains this text. */
  says(words: string | RegExp): Promise<void>
  /** The question with these words. */
  card(words: string): Locator
}

export async function visitChat(panel: Panel, options?: BrowserContextOptions): Promise<Visitor> {
  return toVisitor(panel, await panel.arrive(options))
}

/** Opens the chat in a browser in which this person is already signed in. */
export async function visitChatAs(panel: Panel, user: string, options?: BrowserContextOptions): Promise<Visitor> {
  return toVisitor(panel, await panel.arriveAs(user, options))
}

async function toVisitor(panel: Panel, page: Page): Promise<Visitor> {
  const pressed: string[] = []
  const context = page.context()
  await context.exposeBinding("notePress", (_source, words: string) => void pressed.push(words))
  await context.addInitScript(countPresses)
  await page.goto(panel.demo.server.publicUrl)
  const chat = page.locator("holdpoint-chat")
  await chat.getByRole("button", { name: "Send" }).waitFor()
  return {
    ...{ page, chat, pressed },
    press: (name) => chat.getByRole("button", { name, exact: true }).click(),
    async opens(name, from = page) {
      const button = from.getByRole("button", { name })
      const [opened] = await Promise.all([context.waitForEvent("page"), button.click()])
      return opened
    },
    says: (words) => chat.getByRole("article", { name: "Assistant" }).getByText(words).first().waitFor(),
    card: (words) => chat.getByRole("group").filter({ hasText: words }),
  }
}

/** Counts only clicks of people: clicks of scripts are not `isTrusted`. */
const countPresses = `addEventListener("click", (event) => {
  const pressed = event.composedPath().find((one) => one.matches?.("button, a"))
  if (event.isTrusted && pressed !== undefined) notePress(pressed.textContent.trim())
}, true)`

/** From the button in the chat to the grant at the Nextcloud. */
export async function connectAccount(visitor: Visitor, user = "alice"): Promise<void> {
  const ours = await visitor.opens("Connect")
  const nextcloud = await visitor.opens("Continue to Nextcloud", ours)
  await nextcloud.getByRole("button", { name: `Grant access as ${user}` }).click()
  await nextcloud.getByText("You can close this window").waitFor()
  await nextcloud.close()
}

/** From the button of a suggestion to the account: signs in in the window that opens. */
export async function signInFor({ opens }: Visitor, suggestion: string, user = "alice"): Promise<void> {
  const window = await opens(suggestion)
  const closed = window.waitForEvent("close")
  await window.getByRole("button", { name: `Continue as ${user}` }).click()
  await closed
}
