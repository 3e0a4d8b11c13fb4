// The timeline page: the steps of a question, of an MCP tool call, and of an agent's run. Only the person sees it.

import type { Draft, Runtime } from "@holdpoint/hub"
import { choice, form, systemRuntime, text } from "@holdpoint/hub"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { newSubject } from "../attacks/setup.ts"

const minute = 60_000

let ahead = 0
const runtime: Runtime = { ...systemRuntime, now: () => Date.now() + ahead }

let world: World
beforeAll(async () => {
  world = await openWorld({ runtime })
})
afterAll(() => world.close())

let subject: string
let browser: JarBrowser
beforeEach(async () => {
  ahead = 0
  subject = newSubject("alice")
  browser = await world.signIn(subject)
})

const confirm = form({ confirmed: choice({ yes: "Delete note", no: "Keep it" }, { title: "Your answer" }) })

const ask = (more: Partial<Draft> = {}) =>
  world.server.hub.ask({
    ...{ form: confirm, message: "Delete “Shopping”?", audience: world.person(subject) },
    ...{ requester: { id: "notes", name: "Notes" }, ...more },
  } as Draft)

const answer = (id: string, content: object) =>
  world.server.hub.answer(id, { by: world.person(subject), action: "accept", via: "web", ...content })

const wordsOn = ({ text }: Visited): string =>
  text
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")

const open = (id: string, by = browser): Promise<Visited> => by.open(`${world.server.publicUrl}/inbox/${id}/timeline`)

const trail = (entry: object) =>
  world.storage.trail.append({ tenant: "acme", at: runtime.now(), detail: {}, ...entry } as never)

describe("the timeline page", () => {
  verifies("page.timeline", "says who asked, what was said and where, and how long it took", async () => {
    const { id } = await ask()
    ahead = 3 * minute
    await answer(id, { content: { confirmed: "yes" } })
    const words = wordsOn(await open(id))
    expect(words).toContain("Notes asked: “Delete “Shopping”?”")
    expect(words).toContain("You said “Delete note” in the browser, after 3 minutes")
  })

  verifies("page.timeline", "never has the content of an answer", async () => {
    const { id } = await ask({ form: form({ where: text() }), message: "Where to?" } as never)
    await answer(id, { content: { where: "Reykjavik" } })
    const words = wordsOn(await open(id))
    expect(words).toContain("You answered in the browser")
    expect(words).not.toContain("Reykjavik")
  })

  it("says that the question expired", async () => {
    const { id } = await ask({ lifetimeMs: 2 * minute } as never)
    ahead = 2 * minute + 1_000
    await world.server.hub.sweep()
    expect(wordsOn(await open(id))).toContain("It was not answered in time after 2 minutes")
  })

  it("has all questions of a call, what the call did, and its end", async () => {
    const parent = `mcp ${subject}`
    const [first, second] = [await ask({ parent } as never), await ask({ parent, message: "Empty the bin?" } as never)]
    await answer(first.id, { content: { confirmed: "yes" } })
    await answer(second.id, { action: "decline" })
    await trail({ id: first.id, kind: "effect", detail: { code: "e", message: "begun" } })
    await trail({ id: first.id, kind: "effect", detail: { code: "e", message: "done" } })
    await trail({ id: first.id, kind: "asker", detail: { code: "c", message: "over" } })
    const words = wordsOn(await open(second.id))
    expect(words).toMatch(/You said “Delete note” in the browser, after [\w ]+, “Delete “Shopping”\?”/)
    expect(words).toMatch(/You declined in the browser, after [\w ]+, “Empty the bin\?”/)
    expect(words).toMatch(/began to act on the answer.*finished what it did.*The call that asked the question ended/)
  })

  it("has the tool calls and pauses of a run", async () => {
    const run = `run-${subject}`
    const parent = `call ${run}`
    const call = { id: "step 0 call 0", toolId: "t", tool: "delete_note", agent: "worker" }
    await trail({ id: run, parent, kind: "run", detail: { code: "begun", via: "helper" } })
    await trail({ id: run, parent, kind: "call", detail: { code: "begun", call } })
    const { id } = await ask({ parent } as never)
    await trail({ id: run, parent, kind: "run", detail: { code: "waiting" } })
    ahead = 4 * minute
    await answer(id, { content: { confirmed: "no" } })
    await trail({ id: run, parent, kind: "run", detail: { code: "running" } })
    await trail({ id: run, parent, kind: "call", detail: { code: "denied", call } })
    await trail({ id, kind: "effect", detail: { code: "e", message: "begun" } })
    await trail({ id: run, parent, kind: "run", detail: { code: "done" } })
    const words = wordsOn(await open(id))
    for (const text of [
      "The agent helper began its reply",
      "“delete_note” was called by worker",
      "The reply is waiting for people",
      "You said “Keep it” in the browser, after 4 minutes",
      "The reply went on after 4 minutes",
      "“delete_note” was not allowed, and did not run called by worker",
      "The reply was finished",
    ])
      expect(words).toContain(text)
    expect(words).not.toContain("act on the answer")
  })

  it("is reached from the question, from its end and from the history", async () => {
    const { id } = await ask()
    const link = `href="/inbox/${id}/timeline"`
    expect((await browser.open(`${world.server.publicUrl}/inbox/${id}`)).text).toContain(link)
    await answer(id, { content: { confirmed: "yes" } })
    expect((await browser.open(`${world.server.publicUrl}/inbox/${id}`)).text).toContain(link)
    expect((await browser.open(`${world.server.publicUrl}/account`)).text).toContain(link)
  })

  it("is shown after the sign-in that it requires", async () => {
    const { id } = await ask()
    const page = await browser.open(`${world.server.publicUrl}/signin?to=timeline:${id}`)
    expect(page.url.pathname).toBe(`/inbox/${id}/timeline`)
  })
})

describe("the timeline page of another person's question", () => {
  verifies(
    "page.timeline",
    "is the same as for a question that does not exist, and the attempt is recorded",
    async () => {
      const { id } = await ask()
      const mallory = await world.signIn(newSubject("mallory"))
      const [foreign, unknown] = [await open(id, mallory), await open("no-such-question", mallory)]
      expect(foreign.status).toBe(404)
      expect([foreign.status, wordsOn(foreign)]).toEqual([unknown.status, wordsOn(unknown)])
      const entries = await world.storage.trail.read({ id, limit: 10 })
      expect(entries.map(({ kind }) => kind)).toContain("refused")
    },
  )

  it("adds nothing to the page of one's own question in the same call", async () => {
    const parent = `mcp shared ${subject}`
    const { id } = await ask({ parent } as never)
    const other = world.person(newSubject("bob"))
    await ask({ parent, message: "A question to bob?", audience: other } as never)
    expect(wordsOn(await open(id))).not.toContain("A question to bob?")
  })

  verifies(
    "page.timeline",
    "shows nothing of the run that asked to a person who shares only the question",
    async () => {
      const run = `run-shared-${subject}`
      const parent = `call ${run}`
      await trail({ id: run, parent, kind: "run", detail: { code: "begun", via: "helper" } })
      const call = { id: "c", toolId: "t", tool: "secret_tool" }
      await trail({ id: run, parent, kind: "call", detail: { code: "begun", call } })
      const audience = { kind: "any", principals: [world.person(subject), world.person(newSubject("bob"))] }
      const { id } = await ask({ parent, audience } as never)
      const words = wordsOn(await open(id))
      expect(words).toContain("Notes asked")
      expect(words).not.toMatch(/helper|secret_tool/)
    },
  )
})
