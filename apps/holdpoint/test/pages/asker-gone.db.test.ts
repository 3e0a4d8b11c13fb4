// A question whose asker is gone says so, before and after the answer: a killed program, a caller that gave up, a stopped run.

import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { scriptedModel } from "@holdpoint/agents"
import type { Storage } from "@holdpoint/hub"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { openCallersWorld } from "@holdpoint/testkit/agents/callers-world"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect } from "vitest"
import { newSubject } from "../attacks/setup.ts"

const wordsOn = ({ text }: Visited): string => {
  const mainHtml = text.slice(Math.max(0, text.indexOf("<main")))
  return mainHtml.replace(/<[^>]*>/g, "").replace(/\s+/g, " ")
}

/** Without the sign-out form at its top. */
async function openArticle(browser: JarBrowser, address: string): Promise<Visited> {
  const page = await browser.open(address)
  return { ...page, text: page.text.slice(page.text.indexOf("<main")) }
}

describe("a question of a program", () => {
  let folder: string
  let storage: Storage
  let world: World
  let browser: JarBrowser
  let subject: string
  const programs: ChildProcess[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "holdpoint-asker-"))
    storage = await openSqlite(join(folder, "holdpoint.db"))
    world = await openWorld({ storage })
    subject = newSubject("alice")
    browser = await world.signIn(subject)
  })
  afterEach(async () => {
    for (const program of programs.splice(0)) program.kill("SIGKILL")
    await world.close()
    await storage.close()
    await rm(folder, { recursive: true })
  })

  async function start() {
    const file = fileURLToPath(new URL("asking-process.ts", import.meta.url))
    const args = [file, join(folder, "holdpoint.db"), JSON.stringify(world.person(subject))]
    const program = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
    programs.push(program)
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
    const line = async (): Promise<string> => (await lines.next()).value ?? ""
    const id = await line()
    const end = new Promise<void>((resolve) => program.once("exit", () => resolve()))
    return { id, line, end, program, page: `${world.server.publicUrl}/inbox/${id}` }
  }

  verifies("page.what-follows", "that was killed says so before and after the answer", async () => {
    const { program, page, end } = await start()
    const before = await openArticle(browser, page)
    expect(wordsOn(before)).not.toContain("no longer waiting")
    program.kill("SIGKILL")
    await end
    expect(wordsOn(await openArticle(browser, page))).toContain(
      "Clean-up script is no longer waiting for it: the program that asked has gone. An answer changes nothing.",
    )
    const answered = wordsOn(await browser.submit(before, { do: "send", "field.sure": "yes" }))
    expect(answered).toContain("The program that asked has gone, so the answer changes nothing.")
    expect(answered).not.toContain("goes on")
  })

  verifies("page.what-follows", "that was killed does not say that the program learned of a No", async () => {
    const { program, page, end } = await start()
    program.kill("SIGKILL")
    await end
    const declined = wordsOn(await browser.submit(await openArticle(browser, page), { do: "decline" }))
    expect(declined).toContain("Clean-up script is no longer waiting for it.")
    expect(declined).not.toContain("has been told")
  })

  verifies("page.what-follows", "that runs in another process says that the program continues; it does", async () => {
    const { page, line, end } = await start()
    const answered = wordsOn(
      await browser.submit(await openArticle(browser, page), { do: "send", "field.sure": "yes" }),
    )
    expect(answered).toContain("Clean-up script has the answer and continues.")
    expect(await line()).toBe("completed")
    await end
  })

  verifies("page.what-follows", "that gave up during the consent says that the account stays connected", async () => {
    const giveUp = new AbortController()
    world.notes.settings.user = `${subject}-at-notes`
    const connecting = world.server.vault.connect(world.need(subject), { signal: giveUp.signal })
    const link = await linkOfOpen()
    const page = await browser.open(link)
    giveUp.abort()
    await expect(connecting).rejects.toThrow()
    const done = wordsOn(await browser.submit(page, { do: "continue" }))
    expect(done).toContain(
      "Note taker is no longer waiting for it. The account stays connected: repeat the request, and it will be used.",
    )
  })

  verifies("page.what-follows", "that the person began on their account page names no program", async () => {
    world.notes.settings.user = `${subject}-at-notes`
    const requester = { id: "holdpoint", name: "You, on your account page" }
    await world.server.vault.ask(world.need(subject, { requester }))
    const done = wordsOn(await browser.submit(await browser.open(await linkOfOpen()), { do: "continue" }))
    expect(done).toContain("Example Notes is connected. There is nothing else to do.")
  })

  async function linkOfOpen(): Promise<string> {
    const principal = world.person(subject)
    const open = () => world.server.hub.list({ tenant: principal.tenant, principal, state: "open", limit: 9 })
    await expect.poll(async () => (await open()).length, { timeout: 10_000 }).toBe(1)
    const [asked] = await open()
    return asked?.mode === "url" ? asked.url : ""
  }
})

describe("a consent that an agent asked for", () => {
  verifies("page.what-follows", "says after a stop that the agent no longer waits", async () => {
    const model = scriptedModel(({ step }) => (step > 0 ? { text: "Paid." } : { calls: [{ tool: "pay", input: {} }] }))
    const pay = {
      ...{ description: "Pays", inputSchema: { type: "object", properties: {} } },
      handle: async (_input: unknown, ask: { url(key: string, message: string, url: string): Promise<unknown> }) => {
        await ask.url("pay", "Please pay.", "https://pay.example/1")
        return "paid"
      },
    }
    const world = await openCallersWorld({ agents: { helper: { model, tools: { pay } } } } as never)
    try {
      const subject = newSubject("alice")
      const headers = await world.session(subject)
      const browser = await world.signIn(subject)
      const stream = await world.say("c1", "pay", headers)
      const principal = world.person(subject)
      const open = () => world.server.hub.list({ tenant: "acme", principal, state: "open", limit: 9 })
      await expect.poll(async () => (await open()).length, { timeout: 10_000 }).toBe(1)
      const id = (await open())[0]?.id ?? ""
      const page = `${world.server.publicUrl}/inbox/${id}`
      expect(wordsOn(await openArticle(browser, page))).not.toContain("no longer waiting")
      const stopped = await world.send("/run/api/chat/c1/stop", { body: {}, headers })
      expect(stopped.status).toBe(202)
      await stream.text()
      await expect
        .poll(async () => wordsOn(await openArticle(browser, page)), { timeout: 10_000 })
        .toContain("helper is no longer waiting for it")
      const link = `${world.server.publicUrl}/visit/${id}`
      await browser.submit(await browser.open(link), { do: "yes" }, { stopAt: ({ host }) => host === "pay.example" })
      await world.server.hub.complete(id)
      const done = wordsOn(await browser.open(link))
      expect(done).toContain("helper is no longer waiting for it.")
      expect(done).not.toContain("goes on")
    } finally {
      await world.close()
    }
  })
})
