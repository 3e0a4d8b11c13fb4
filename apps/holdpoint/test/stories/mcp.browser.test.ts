// A whole consent with official MCP clients and a real browser: a model calls a tool once, a person is sent to a page,
// signs in and agrees, and the call returns its result.

import { fileURLToPath } from "node:url"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import type { Endpoint } from "@holdpoint/testkit/mcp/server/clients/client"
import { verifies } from "@holdpoint/testkit/verifies"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type Site, startSite } from "../attacks/setup.ts"
import { createProgram, type Program } from "../authorization/scene.ts"
import { type Client, type Generation, type Host, openHost, secretsIn } from "./mcp-host.ts"
import { notesOf } from "./mcp-tool.ts"
import { type McpStage, openMcpStage } from "./mcp-world.ts"
import { openPeople, pressSignIn, signInByForm, tabTo } from "./people.ts"

let stage: McpStage
/** Where a program on alice's machine waits for the callback of the authorization server. */
let desk: Site
const hosts: Host[] = []
beforeAll(async () => {
  desk = await startSite((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Desk</title><h1>Back at the desk</h1>")
  })
  stage = await openMcpStage()
  stage.notes.settings.user = "alice-at-notes"
})
afterAll(async () => {
  await stage.close()
  await desk.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  await stage.clear()
  stage.notes.settings.user = "alice-at-notes"
})

const modern: Generation = {
  of: "2026-07-28, in rounds",
  ...{ kind: "v2 pinned to 2026-07-28", revision: "2026-07-28", completions: 0, isHeld: false },
}
const pushed: Generation = {
  of: "2025-11-25, asked in the middle of its call",
  ...{ kind: "v2 legacy", revision: "2025-11-25", completions: 1, isHeld: true },
}
const first: Generation = {
  of: "2025-11-25, told by the error -32042",
  ...{ kind: "v1.32", revision: "2025-11-25", completions: 1, isHeld: false },
}
const forms: Generation = {
  ...{ ...pushed, of: "2025-11-25, that shows nothing but forms" },
  ...{ completions: 0, capabilities: { elicitation: {} } },
}

/** Opens a program that alice uses. */
async function open(generation: Generation): Promise<Host> {
  return openAt(generation, { ...http(), headers: await stage.headersOf("alice") })
}

const http = () => ({ transport: "http", url: stage.mcpUrl, fetch }) as const

async function openAt(generation: Client, endpoint: Endpoint): Promise<Host> {
  const host = await openHost(generation, endpoint)
  hosts.push(host)
  expect(host.revision).toBe(generation.revision)
  return host
}

/** Opens a browser in which this person follows the link and signs in. */
async function follow(link: string, user: string): Promise<Page> {
  const page = await stage.arriveAs(user)
  await page.goto(link)
  return page
}

/** Opens the page, and leaves it. */
async function visit(generation: Generation, link: string): Promise<void> {
  if (generation === modern) {
    const page = await follow(link, "alice")
    await page.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
    return page.close()
  }
  const jar = await signInByForm(stage.server.publicUrl, "alice")
  expect((await jar.open(link)).text).toContain("Connect Example Notes?</h1>")
}

/**
 * Presses a button: in a browser for one client, and by the same requests for the others, because pages do not differ.
 */
async function press(generation: Generation, link: string, answer: "continue" | "no"): Promise<void> {
  if (generation === modern) {
    const page = await follow(link, "alice")
    if (answer === "continue") return connect(page)
    await page.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
    await tabTo(page, "No")
    await page.keyboard.press("Enter")
    return stage.look(page, "Not connected")
  }
  const jar = await signInByForm(stage.server.publicUrl, "alice")
  const page = await jar.submit(await jar.open(link), { do: answer })
  expect(page.text).toContain(answer === "no" ? "Not connected</h1>" : "Example Notes is connected.")
}

/** Connects the account on the connect page, with the keyboard. */
async function connect(page: Page): Promise<void> {
  await stage.look(page, "Connect Example Notes?")
  await tabTo(page, "Continue to Example Notes")
  await page.keyboard.press("Enter")
  await stage.look(page, "Connected as alice-at-notes")
}

const notes = { kind: "result", isError: false, text: notesOf("alice-at-notes") }

const steps = [
  "Asked: Note robot asks you to connect Example Notes, to read your notes.",
  ...["Agreed to open the page.", "The page was opened.", "Signed in.", "Agreed to connect.", "Connected."],
]

/** Expects that the client received the notes and no secret of this run. */
function expectDiscretion(host: Host): void {
  expect(secretsIn(stage.presented.at(-1) ?? "")).toEqual(["access_token"])
  expect(host.heard()).toContain(notes.text)
  expect(secretsIn(host.heard())).toEqual([])
}

describe.each([modern, pushed, first, forms])("a client of $of", (generation) => {
  verifies(
    "mcp.consent-story",
    "calls once, and gets the notes when alice has signed in and connected her account",
    async () => {
      const host = await open(generation)
      const called = host.call({ onprogress: () => {} })
      const link = await host.link()

      // Another person has the link, and opens it first.
      await stage.look(await follow(link, "bob"), "This link cannot be used")
      // A client of 2026-07-28 has retried meanwhile, because the server holds a request only for a limited time.
      if (generation === modern) await vi.waitFor(() => expect(host.rounds()).toBeGreaterThan(1), { timeout: 15_000 })

      const page = await stage.arrive()
      await page.goto(link)
      await stage.look(page, "Sign in to try it out")
      await pressSignIn(page, "alice")
      await page.getByText("Note robot asks to use your account at Example Notes").waitFor()
      expect(await page.getByRole("main").innerText()).toContain("Read your notes")
      // Alice's consent to open the link reached the program earlier, and does not count as completion.
      expect(host.waiting()).toBe(1)
      await connect(page)

      expect(await called).toMatchObject(notes)
      expect(host.links).toEqual([link])
      expect(host.completions()).toBe(generation.completions)
      // Ignores the progress messages that a held call sends periodically.
      const messages = host.progress().filter((words) => !String(words).startsWith("Still waiting"))
      if (generation.isHeld) expect(messages).toEqual(steps)
      expectDiscretion(host)
    },
  )

  verifies("mcp.no-is-kept", "learns that alice said no, and she is not asked again", async () => {
    const host = await open(generation)
    const called = host.call()
    await press(generation, await host.link(), "no")
    host.tryAgain()
    const text = expect.stringMatching(/^The user was asked and said no.*Do not call this tool again/)
    expect(await called).toMatchObject({ kind: "result", isError: true, text })
    expect(host.links).toHaveLength(1)
    expect(await stage.server.vault.find(stage.need("alice"))).toBeUndefined()
  })

  it("that gives up does not end the consent, and its next call finds the account connected", async () => {
    const host = await open(generation)
    const patience = new AbortController()
    const called = host.call({ signal: patience.signal })
    const link = await host.link()
    await visit(generation, link)
    patience.abort()
    expect(await called).toMatchObject({ kind: "error" })

    await press(generation, link, "continue")
    expect(await host.call()).toMatchObject(notes)
    expect(host.links).toEqual([link])
    await vi.waitFor(() => expect(host.completions()).toBe(generation.completions), { timeout: 10_000 })
    expectDiscretion(host)
  })
})

describe("several programs", () => {
  it("of alice wait for one consent, and each gets the notes", async () => {
    const programs = await Promise.all([modern, pushed, first].map(open))
    const called = Promise.all(programs.map((host) => host.call()))
    const [link = "", ...others] = await Promise.all(programs.map((host) => host.link()))
    expect(others).toEqual([link, link])
    await connect(await follow(link, "alice"))
    for (const result of await called) expect(result).toMatchObject(notes)
    expect(programs.map((host) => host.links)).toEqual([[link], [link], [link]])
    expect(programs.map((host) => host.completions())).toEqual([0, 1, 1])
  })

  verifies(
    "mcp.consent-story",
    "of two people get the notes of their own person, and none of the other person's",
    async () => {
      const hers = await open(modern)
      const his = await openAt(pushed, { ...http(), headers: await stage.headersOf("bob") })
      const [herCall, hisCall] = [hers.call(), his.call()]
      const [herLink, hisLink] = await Promise.all([hers.link(), his.link()])
      await connect(await follow(herLink, "alice"))
      expect(await herCall).toMatchObject(notes)
      expect(his.waiting()).toBe(1)
      stage.notes.settings.user = "bob-at-notes"
      const page = await follow(hisLink, "bob")
      await page.getByRole("button", { name: "Continue to Example Notes" }).click()
      await page.getByRole("heading", { name: "Connected as bob-at-notes" }).waitFor()
      expect(await hisCall).toMatchObject({ isError: false, text: notesOf("bob-at-notes") })
      for (const [host, other] of [
        [hers, "bob-at-notes"],
        [his, "alice-at-notes"],
      ] as const)
        expect(host.heard()).not.toContain(other)
    },
  )
})

describe("access that was revoked at the provider", () => {
  it.each([modern, pushed, first])("is requested again in the middle of a call: $of", async (generation) => {
    const host = await open(generation)
    const before = host.call()
    await press(first, await host.link(), "continue")
    expect(await before).toMatchObject(notes)

    await stage.withdraw()
    const called = host.call()
    await vi.waitFor(() => expect(host.links).toHaveLength(2), { timeout: 10_000 })
    const page = await follow(host.links[1] ?? "", "alice")
    await page.getByText("Why again? Example Notes").waitFor()
    await connect(page)
    expect(await called).toMatchObject(notes)
    expect(host.links).toHaveLength(2)
    expectDiscretion(host)
  })
})

describe("a client that has no token yet", () => {
  it.each([modern, first])(
    "gets one in the browser in which alice then connects her account: $of",
    async (generation) => {
      const program = createProgram(undefined, `${desk.url}/callback`)
      program.stored.client = { client_id: "desk", issuer: stage.server.publicUrl }
      const endpoint = { ...http(), authProvider: program }
      await expect(openHost(generation, endpoint)).rejects.toThrow("Unauthorized")

      const page = await follow(program.sent.at(-1)?.href ?? "", "alice")
      await stage.look(page, "Let Desk use Note robot?")
      expect(await page.getByRole("main").innerText()).toContain("List your notes")
      await tabTo(page, "Allow")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Back at the desk" }).waitFor()
      await redeem(generation, program, new URL(page.url()).searchParams)

      const host = await openAt(generation, endpoint)
      const called = host.call()
      const link = await host.link()
      await stage.look(await follow(link, "bob"), "This link cannot be used")
      // In this browser alice is already signed in.
      await page.goto(link)
      await connect(page)
      expect(await called).toMatchObject(notes)
      expect(host.links).toEqual([link])
      expectDiscretion(host)
    },
  )

  /** Redeems the code with the client of this generation. */
  async function redeem({ kind }: Generation, program: Program, answer: URLSearchParams): Promise<void> {
    const code = answer.get("code") ?? ""
    noteCanary("code", code)
    const url = new URL(stage.mcpUrl)
    if (kind === "v1.32") await new FirstTransport(url, { authProvider: program as never }).finishAuth(code)
    else await new StreamableHTTPClientTransport(url, { authProvider: program }).finishAuth(answer)
  }
})

describe("a server on the person's own machine, over stdio", () => {
  const clients = [
    { kind: "v2 auto", revision: "2026-07-28", completions: 0 },
    { kind: "v1.32", revision: "2025-11-25", completions: 1 },
  ] as const
  it.each(clients)(
    "returns the notes to $kind when the first browser to press the button has connected the account",
    async (generation) => {
      const args = ["--no-warnings", script, stage.notes.issuer, stage.notesUrl]
      const host = await openAt(generation, { transport: "stdio", command: process.execPath, args, env: {} })
      const called = host.call()
      const link = await host.link()
      stage.notes.allowRedirect(`${new URL(link).origin}/oauth/callback/notes`)
      const people = openPeople(stage.browser, new URL(link).origin)
      const page = await people.arrive()
      await page.goto(link)
      await page.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
      const code = await page.locator(".code strong").innerText()
      expect(await host.message()).toBe(
        `Note robot asks you to connect Example Notes, to read your notes. The page shows the code ${code}.`,
      )
      // Opening it claims nothing: the first press does.
      const second = await people.arrive()
      await second.goto(link)
      await second.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
      await connect(page)
      expect(await called).toMatchObject(notes)
      await second.getByRole("button", { name: "Continue to Example Notes" }).click()
      await people.look(second, "In use in another browser")
      expect(host.links).toEqual([link])
      expect(host.completions()).toBe(generation.completions)
      expectDiscretion(host)
      expect(await people.leave()).toEqual([])
    },
  )
})

const script = fileURLToPath(new URL("mcp-stdio.ts", import.meta.url))
