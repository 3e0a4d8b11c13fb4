// Where an administrator made an OAuth client: a newcomer is asked once for the tools that are served, may allow fewer, and
// is later asked only for what a call needs.

import type { Client } from "@modelcontextprotocol/client"
import { describe, expect, it } from "vitest"
import { connect, createVisitor, sendTo, serve, startCloud, textIn, visiting } from "./stage.ts"

/** One call for each of seven scopes of the tools that are offered by default. */
const calls = [
  ["nc_notes_list_notes", {}],
  ["nc_notes_create_note", { title: "New", content: "text" }],
  ["nc_files_list_directory", { path: "/" }],
  ["nc_calendar_list_calendars", {}],
  ["nc_tasks_list_lists", {}],
  ["nc_contacts_list_addressbooks", {}],
  ["nc_files_create_directory", { path: "/New" }],
] as const

async function enter() {
  const cloud = await startCloud()
  const client = cloud.registerClient("tools", "http://127.0.0.1:9/later")
  const oauth = { NEXTCLOUD_OAUTH_CLIENT_ID: client.clientId, NEXTCLOUD_OAUTH_CLIENT_SECRET: client.clientSecret }
  const served = await serve(cloud, oauth)
  Object.assign(client, { redirectUri: `${served.publicUrl}/oauth/callback/nextcloud` })
  const program = await connect(served.mcp, {}, visiting)
  return { program, visitor: createVisitor(cloud, "alice") }
}

async function callAll(program: Client, toolCalls: readonly (readonly [string, object])[] = calls): Promise<void> {
  for (const [name, input] of toolCalls) {
    const result = await program.callTool({ name, arguments: { ...input } })
    expect(result.isError, `${name}: ${textIn(result)}`).toBeFalsy()
  }
}

describe("with a client of OAuth 2, a newcomer", { timeout: 30_000 }, () => {
  it("is asked once, and calls tools of seven scopes", async () => {
    const { program, visitor } = await enter()
    const pages: string[] = []
    const visits = sendTo(program, async (link) => {
      pages.push((await visitor.browser.open(link)).text)
      return visitor.connect(link)
    })
    await callAll(program)
    expect(visits).toHaveLength(1)
    const [page = ""] = pages
    for (const words of ["Read your notes", "Write, change and delete your notes", "See your contacts"])
      expect(page).toContain(words)
    expect(page, "of a toolset that is not switched on").not.toContain("Deck")
  })

  it("who allows only what is needed now is asked for what each later call needs, and nothing else", async () => {
    const { program, visitor } = await enter()
    const pages: string[] = []
    const visits = sendTo(program, async (link) => {
      const page = await visitor.browser.open(link)
      pages.push(page.text)
      return pages.length === 1 ? visitor.connect(link, { do: "needed" }) : visitor.connect(link)
    })
    await callAll(program, [calls[0], calls[3]])
    expect(visits).toHaveLength(2)
    expect(pages[1]).toContain("See your calendars and events")
    expect(pages[1]).not.toMatch(/contacts|files|delete your events/)
    await callAll(program, [calls[0], calls[3]])
    expect(visits).toHaveLength(2)
  })

  it("who allows a selection is asked for another scope only when a call needs it", async () => {
    const { program, visitor } = await enter()
    const pages: string[] = []
    const visits = sendTo(program, async (link) => {
      const page = await visitor.browser.open(link)
      pages.push(page.text)
      return pages.length === 1
        ? visitor.connect(link, { do: "continue", allow: "calendar.read" })
        : visitor.connect(link)
    })
    await callAll(program, [calls[0], calls[3], calls[5]])
    expect(visits).toHaveLength(2)
    expect(pages[1]).toContain("See your contacts")
    expect(pages[1]).not.toContain("delete your contacts")
  })

  it("is given nothing that the page did not offer", async () => {
    const { program, visitor } = await enter()
    sendTo(program, (link) => visitor.connect(link, { do: "continue", allow: "deck.write" }))
    await callAll(program, [calls[0]])
    const standing = await program.callTool({ name: "check_provisioning_status", arguments: {} })
    expect(standing.structuredContent).toMatchObject({ status: "connected", scopes: ["notes.read"] })
  })
})

describe("with a login flow", { timeout: 30_000 }, () => {
  it("nothing is offered beyond what the call needs", async () => {
    const cloud = await startCloud()
    const served = await serve(cloud)
    const program = await connect(served.mcp, {}, visiting)
    const visitor = createVisitor(cloud, "alice")
    const visits = sendTo(program, async (link) => (await visitor.browser.open(link)).text)
    const over = new AbortController()
    const call = program
      .callTool({ name: "nc_notes_list_notes", arguments: {} }, { signal: over.signal })
      .catch(() => undefined)
    await expect.poll(() => visits.length, { timeout: 10_000 }).toBe(1)
    expect(await visits[0]).toContain("Read your notes")
    expect(await visits[0]).not.toContain("calendars")
    over.abort()
    await call
  })
})
