// Alice without a browser: sends the requests of the site's pages, and checks the responses.

import assert from "node:assert/strict"
import { type ChatEvent, type Client, ClientError, createClient } from "@holdpoint/client"
import type { Content } from "@holdpoint/hub"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { answerAsScriptedPeople } from "../5-connect-an-account/scripted-people.ts"
import type { Example } from "./start.ts"

type Question = Extract<ChatEvent, { readonly type: "elicitation-request" }>
type PersonAnswer = { readonly action: "accept" | "decline"; readonly content?: Content }

export async function playAlice({ site, holdpoint }: Example): Promise<void> {
  const browser = openBrowser()
  const askForToken = (query = "") => browser.fetch(`${site}/holdpoint-token${query}`, { method: "POST" })
  assert.equal((await askForToken()).status, 401)
  console.log("a visitor who has not signed in at the site gets no token")
  const page = await browser.submit(await browser.open(site), { person: "alice" })
  assert.match(page.html, /<holdpoint-chat server="http:\/\/127\.0\.0\.1:\d+"/)

  const token = async (query = ""): Promise<string> => {
    const { token } = (await (await askForToken(query)).json()) as { readonly token: string }
    return token
  }
  const clientWith = (query = ""): Client =>
    createClient({ url: holdpoint, token: () => token(query), headers: { origin: site } })

  const client = clientWith()
  const trip = await talk(client, "Plan a trip", async () => ({
    ...{ action: "accept", content: { where: "Oslo", when: "2026-09-14" } },
  }))
  see("Plan a trip", trip, "Gladly. I heard: to Oslo on 2026-09-14.")

  const notes = await talk(client, "List my notes", async ({ url = "" }) => {
    await answerAsScriptedPeople(holdpoint, url)
    return undefined
  })
  see("List my notes", notes, "Let me look. Your notes: Water the plants, Call Bob about the boat, Buy a new lamp.")

  const left = await talk(client, "Fill in my expenses", async () => ({ action: "decline" }))
  assert.deepEqual(left.outputs, [])
  see("Leave it", left, /^I have it here\. I heard: The user was asked and said no/)
  const filled = await talk(client, "Fill in my expenses", async () => ({
    ...{ action: "accept", content: { confirmed: "yes" } },
  }))
  assert.deepEqual(filled.outputs, [{ fields: { purpose: "Visit to Oslo", date: "2026-09-14", amount: 312.5 } }])
  see("Fill it in", filled, "I have it here. I heard: it is in the form.")

  const narrow = clientWith("?conversation=expense-7")
  assert.equal(await narrow.chat("expense-7").load(), undefined)
  const isRefused = (error: unknown): boolean => error instanceof ClientError && error.code === "wrong_conversation"
  await assert.rejects(() => narrow.chat("another").load(), isRefused)
  console.log("a token for one conversation is refused in another")
}

interface Reply {
  readonly text: string
  /** The results of the tools. */
  readonly outputs: readonly unknown[]
}

/**
 * Reads one reply to its end. `answer` answers its question, or returns undefined when that has been done elsewhere.
 */
async function talk(
  client: Client,
  words: string,
  answer: (question: Question) => Promise<PersonAnswer | undefined>,
): Promise<Reply> {
  const chat = client.chat("alice-and-the-assistant", { agent: "assistant" })
  const outputs: unknown[] = []
  let text = ""
  for await (const event of chat.send(words)) {
    if (event.type === "text") text += event.text
    if (event.type === "tool-result") outputs.push(event.output)
    if (event.type !== "elicitation-request" || event.status !== "pending") continue
    const personAnswer = await answer(event)
    const { elicitationId } = event
    if (personAnswer !== undefined)
      await client.answer({ conversationId: chat.conversationId, elicitationId, ...personAnswer })
  }
  return { text, outputs }
}

function see(doing: string, { text }: Reply, expected: string | RegExp): void {
  if (typeof expected === "string") assert.equal(text, expected)
  else assert.match(text, expected)
  console.log(`${`${doing}:`.padEnd(25)} ${text}`)
}
