// The agents of the demo through the run API: the questions of each of the four requests, and the effect of a No.

import { rmSync } from "node:fs"
import { type ChatEvent, createClient } from "@holdpoint/client"
import { systemRuntime } from "@holdpoint/hub"
import type { JarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { modelOf, scriptedDemo } from "../../src/demo/model.ts"
import { assistantModel, requests, travelDeskModel } from "../../src/demo/script.ts"
import { type Demo, startDemo } from "../../src/demo/start.ts"
import { signInByForm } from "../stories/people.ts"

const folder = makeScratchFolder("demo-agents")
let demo: Demo
let alice: JarBrowser
const problems: string[] = []

beforeAll(async () => {
  const report = (doing: string, error: unknown): void => void problems.push(`${doing}: ${error}`)
  const model = { assistant: assistantModel(), travelDesk: travelDeskModel() }
  demo = await startDemo({ folder, host: "localhost", port: 0, runtime: systemRuntime, report, model })
  alice = await signInByForm(demo.server.publicUrl, "alice")
})
afterAll(async () => {
  await demo.close()
  rmSync(folder, { recursive: true, force: true })
  expect(problems).toEqual([])
})

type Question = Extract<ChatEvent, { type: "elicitation-request" }>
type Answer = Parameters<ReturnType<typeof createClient>["answer"]>[0]

/** Sends a message in a new conversation, answers each question, and returns the text of the reply. */
async function converse(text: string, answers: (question: Question) => Promise<Partial<Answer>>) {
  const { publicUrl } = demo.server
  const cookie = [...alice.cookies(publicUrl)].map(([name, value]) => `${name}=${value}`).join("; ")
  const client = createClient({ url: publicUrl, headers: { cookie, origin: publicUrl } })
  const chat = client.chat(crypto.randomUUID())
  const asked: Question[] = []
  const ends: Extract<ChatEvent, { type: "elicitation-resolved" }>[] = []
  let reply = ""
  for await (const event of chat.send(text)) {
    if (event.type === "text") reply += event.text
    if (event.type === "elicitation-resolved") ends.push(event)
    if (event.type !== "elicitation-request" || event.status !== "pending") continue
    asked.push(event)
    const { conversationId } = chat
    const answer = await answers(event)
    if (answer.action !== undefined)
      await client.answer({ conversationId, elicitationId: event.elicitationId, ...answer } as Answer)
  }
  return { reply, asked, ends }
}

const decline = async () => ({ action: "decline" }) as const

/** Consents on the page of the server and, for a new account, at the Nextcloud stand-in. */
async function connect({ url = "" }: Question): Promise<object> {
  await grantAs("alice", url)
  return {}
}

/** Presses the button of our page and, for a new account, grants access at the stand-in as this user. */
async function grantAs(user: string, url: string): Promise<void> {
  const waiting = await alice.submit(await alice.open(url), { do: "continue" })
  const login = /<a class="button primary" href="([^"]+)"/.exec(waiting.text)?.[1]
  if (login !== undefined) demo.standIn.grant(login, user)
}

describe("the agents of the demo", () => {
  it("say what they can do when they do not know a request, and name every request that the page offers", async () => {
    const { reply, asked } = await converse("What is the meaning of life?", decline)
    expect(asked).toEqual([])
    expect(reply).toContain("I am a script")
    for (const words of Object.values(requests)) expect(reply).toContain(words)
  })

  it("refuse the account of another person, because the demo keeps the rule of own accounts", async () => {
    const { reply, ends } = await converse(requests.notes, async ({ url = "" }) => {
      await grantAs("bob", url)
      await expect.poll(async () => (await alice.open(url)).text).toContain("treated as another person’s")
      return { action: "decline" }
    })
    expect(ends.map(({ status }) => status)).toEqual(["declined"])
    expect(reply).toContain("I have not read your notes")
    expect(demo.standIn.access("bob")).toEqual([])
  })

  it("list the notes in the same reply once the account is connected, and say what a No did", async () => {
    const no = await converse(requests.notes, decline)
    expect(no.asked).toMatchObject([{ mode: "url", context: { toolName: "nc_notes_list_notes" } }])
    expect(no.reply).toContain("I have not read your notes. This is what I was told: “Authentication required")
    const yes = await converse(requests.notes, connect)
    expect(yes.asked).toHaveLength(1)
    expect(yes.ends).toMatchObject([
      { status: "completed", context: { account: expect.stringMatching(/^Alice Example/) } },
    ])
    expect(yes.reply).toContain("I will look in your Nextcloud. You have 10 notes:\n• Einkaufsliste 🛒 (Haus/Küche)\n")
    expect((await converse("show me all my notes please", decline)).reply).toContain("Zwetschgenkuchen")
  })

  it("ask by name before they delete a note, and keep the note after a No", async () => {
    const declined = await converse(requests.deletion, async (question) =>
      question.mode === "url" ? connect(question) : { action: "decline" },
    )
    expect(declined.asked.map(({ mode }) => mode)).toEqual(["url", "form"])
    expect(declined.asked.at(-1)?.message).toContain("Delete the note “Wi-Fi at the cottage”?")
    expect(declined.reply).toContain("The note is still there.")
    const gone = await converse(requests.deletion, async () => ({ action: "accept", content: { confirmed: "yes" } }))
    expect(gone.reply).toContain("Deleted: Wi-Fi at the cottage.")
  })

  it("ask for a trip with a form of several kinds of fields", async () => {
    const content = { destination: "Lisbon", start: "2027-04-02", days: 3, budget: "low", interests: ["food"] }
    const { asked, reply } = await converse(requests.trip, async () => ({ action: "accept", content }))
    expect(asked).toMatchObject([{ mode: "form" }])
    expect(reply).toContain("Lisbon, 3 days from 2027-04-02: you go in your own way, stay in a hostel")
  })

  it("let a second agent ask in the same stream, and pass a reason for a No on to its model", async () => {
    const { asked, reply } = await converse(requests.desk, async () => ({ action: "decline", reason: "Too early" }))
    expect(asked).toMatchObject([{ context: { agent: "Travel-desk" } }])
    expect(reply).toContain("The travel desk says: Not booked.")
    expect(reply).toContain("They said: Too early")
    const booked = await converse(requests.desk, async () => ({ action: "accept", content: { confirmed: "yes" } }))
    expect(booked.reply).toContain("The travel desk says: Booked: 2 seats from Berlin to Vienna.")
  })
})

describe("the model of the demo", () => {
  it("is the scripted one without a key and without an address", () => {
    expect(modelOf({})).toBe(scriptedDemo)
    expect(modelOf({ OPENAI_API_KEY: "", HOLDPOINT_MODEL_URL: "" })).toBe(scriptedDemo)
  })

  it("is a real one that the environment names, and only its name and host are shown", () => {
    const key = "sk-canary-0815"
    const named = modelOf({ OPENAI_API_KEY: key })
    expect(named.label).toEqual({ name: "gpt-4.1-mini", host: "api.openai.com" })
    expect(JSON.stringify(named)).not.toContain(key)
    const own = { OPENAI_API_KEY: key, OPENAI_BASE_URL: "https://me:pw@llm.example/v1", OPENAI_MODEL: "large" }
    expect(modelOf(own).label).toEqual({ name: "large", host: "llm.example" })
    const local = { HOLDPOINT_MODEL_URL: "http://127.0.0.1:11434/v1", OPENAI_MODEL: "llama3.2", OPENAI_API_KEY: key }
    expect(modelOf(local).label).toEqual({ name: "llama3.2", host: "127.0.0.1:11434" })
  })

  it.each([
    [{ HOLDPOINT_MODEL_URL: "localhost" }, "HOLDPOINT_MODEL_URL is not the address of a model."],
    [{ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "ftp://x" }, "OPENAI_BASE_URL is not the address of a model."],
    [{ HOLDPOINT_MODEL_URL: "http://127.0.0.1:11434/v1" }, "but not which one"],
  ])("is refused, and the error says what to do: %j", (env, words) => {
    expect(() => modelOf(env)).toThrow(words)
  })
})
