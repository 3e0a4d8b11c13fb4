// After an answer, the pages say what happens next: whether the asking program continues, returns or is gone, what it
// did with the answer, and whether a No came in time.

import type { Elicitation, Principal } from "@holdpoint/hub"
import type { Ask, Mcp } from "@holdpoint/mcp"
import { createMcp, holdable } from "@holdpoint/mcp"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { McpServer } from "@modelcontextprotocol/server"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest"
import type { ServerOptions } from "../../src/serve/server.ts"
import { newSubject } from "../attacks/setup.ts"

type Site = Parameters<NonNullable<ServerOptions["mounts"]>>[0]

let world: World
let site: Site
beforeAll(async () => {
  world = await openWorld({
    mounts: (parts) => {
      site = parts
      return []
    },
  })
})
afterAll(() => world.close())

let alice: Principal
let browser: JarBrowser
let mcp: Mcp
let client: Client | undefined
let askQuestion: (ask: Ask) => Promise<unknown>
let beforeEffect: () => Promise<void>

beforeEach(async () => {
  const subject = newSubject("alice")
  alice = world.person(subject)
  browser = await world.signIn(subject)
  beforeEffect = async () => {}
  askQuestion = (ask) => ask.confirm("sure", "Delete the note “shopping”?")
  mcp = createMcp({ ...site, name: "Notes", callers: { local: alice }, server: createServer })
})
afterEach(async () => {
  await client?.close()
  await mcp.close()
})

function createServer(): McpServer {
  const server = new McpServer({ name: "notes", version: "1" })
  server.registerTool(
    "delete_note",
    {},
    holdable(async (ask) => {
      await askQuestion(ask)
      await beforeEffect()
      await ask.once("deleted", () => {})
      return { content: [{ type: "text", text: "Deleted." }] }
    }),
  )
  return server
}

/** The person's answer to the client's prompt. */
type Answer = () => Promise<{ readonly action: "accept" | "decline" }>

async function calls(era: "2026" | "2025", answer: Answer, signal?: AbortSignal) {
  client = new Client(
    { name: "desk", version: "1" },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: "2026-07-28" } },
    },
  )
  client.setRequestHandler("elicitation/create", async () => ({ ...(await answer()) }))
  const fetch = (input: string | URL, init?: RequestInit) => mcp.fetch(new Request(input, init))
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.server.publicUrl}/mcp`), { fetch }))
  return client.callTool({ name: "delete_note" }, signal === undefined ? {} : { signal })
}

async function question(): Promise<Elicitation> {
  for (;;) {
    const [stored] = await world.server.hub.list({ tenant: alice.tenant, principal: alice, state: "all", limit: 1 })
    if (stored !== undefined) return stored
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The question's page, without the sign-out form at its top. */
async function pageOf({ id }: Elicitation): Promise<Visited> {
  const page = await browser.open(`${world.server.publicUrl}/inbox/${id}`)
  return { ...page, text: page.text.slice(page.text.indexOf("<article")) }
}

const wordsOn = ({ text }: Visited): string => text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ")
const yes = { do: "send", "field.confirmed": "yes" }
const never = (): Promise<never> => new Promise(() => {})

describe("after a Yes in the inbox, the page", () => {
  verifies(
    "page.what-follows",
    "says that the program gets the answer when it asks again, and then what it did",
    async () => {
      let answered = ""
      const result = await calls("2026", async () => {
        answered = wordsOn(await browser.submit(await pageOf(await question()), yes))
        return { action: "accept" }
      })
      expect(result.isError).toBeFalsy()
      expect(answered).toContain("Notes gets the answer when it asks again.")
      expect(answered).not.toContain("goes on")
      expect(wordsOn(await pageOf(await question()))).toContain("Notes has the answer, and finished with it just now")
    },
  )

  verifies("page.what-follows", "says that the program continues, when its call is held", async () => {
    const gate = Promise.withResolvers<void>()
    beforeEffect = () => gate.promise
    const calling = calls("2025", never)
    const answered = wordsOn(await browser.submit(await pageOf(await question()), yes))
    expect(answered).toContain("Notes has the answer and continues.")
    gate.resolve()
    expect((await calling).isError).toBeFalsy()
  })
})

describe("a No on a page that was loaded before the Yes", () => {
  verifies("page.what-follows", "is shown as in time, and the call stops", async () => {
    const result = await calls("2026", async () => {
      const asked = await question()
      const page = await pageOf(asked)
      await browser.submit(page, yes)
      const texts = wordsOn(await browser.submit(page, { do: "decline" }))
      expect(texts).toContain("A No came after that, before Notes reported that it had begun anything.")
      return { action: "accept" }
    })
    expect(result.isError).toBe(true)
  })

  verifies("page.what-follows", "is shown as too late, with what was done", async () => {
    const stale = calls("2025", never)
    const page = await pageOf(await question())
    await browser.submit(page, yes)
    expect((await stale).isError).toBeFalsy()
    const texts = wordsOn(await browser.submit(page, { do: "decline" }))
    expect(texts).toContain("A No came after that, but Notes had already finished with it just now")
  })

  verifies("page.what-follows", "also works on the page of a link", async () => {
    askQuestion = (ask) => ask.url("pay", "Please pay.", "https://pay.example/1")
    const result = await calls("2026", async () => {
      const { id } = await question()
      const link = `${world.server.publicUrl}/visit/${id}`
      const page = await browser.open(link)
      await browser.submit(page, { do: "yes" }, { stopAt: ({ host }) => host === "pay.example" })
      await world.server.hub.complete(id)
      expect(wordsOn(await browser.open(link))).toContain("Notes gets the answer when it asks again.")
      const texts = wordsOn(await browser.submit(page, { do: "no" }))
      expect(texts).toContain("A No came after that, before Notes reported that it had begun anything.")
      return { action: "accept" }
    })
    expect(result.isError).toBe(true)
  })
})

verifies("page.what-follows", "the page of a link says when the program that asked is gone", async () => {
  askQuestion = (ask) => ask.url("pay", "Please pay.", "https://pay.example/1")
  const gone = new AbortController()
  const calling = calls("2025", never, gone.signal)
  const { id } = await question()
  gone.abort()
  await expect(calling).rejects.toThrow()
  const link = `${world.server.publicUrl}/visit/${id}`
  await browser.submit(await browser.open(link), { do: "yes" }, { stopAt: ({ host }) => host === "pay.example" })
  await world.server.hub.complete(id)
  await expect
    .poll(async () => wordsOn(await browser.open(link)), { timeout: 5_000 })
    .toContain("Notes is no longer waiting for it.")
})

describe("the timeline page of an MCP tool call", () => {
  verifies.each("page.timeline")(["2025", "2026"] as const)(
    "has the question, the answer in the browser and what the tool did, for a client of %s",
    async (era) => {
      const result = await calls(era, async () => {
        await browser.submit(await pageOf(await question()), yes)
        return { action: "accept" }
      })
      expect(result.isError).toBeFalsy()
      const { id } = await question()
      const open = async (): Promise<string> =>
        wordsOn(await browser.open(`${world.server.publicUrl}/inbox/${id}/timeline`))
      await expect.poll(open).toContain("The call that asked the question ended")
      expect(await open()).toMatch(
        /Notes asked: “Delete the note “shopping”\?”.*You said “.*”in the browser, after .*began to act on the answer.*finished what it did with the answer.*The call that asked the question ended/,
      )
    },
  )
})
