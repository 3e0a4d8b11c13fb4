// “List my notes”, from a program that starts the server on stdio: one prompt, one page, and the notes appear.

import type { Prompt } from "@holdpoint/testkit/mcp/server/clients/client"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { startSite } from "../attacks/setup.ts"
import { dataOf, linkOf, textOf } from "./nextcloud-program.ts"
import { connect, grantAt, grantInTab, type NextcloudStage, openNextcloudStage } from "./nextcloud-world.ts"

let stage: NextcloudStage
beforeAll(async () => {
  stage = await openNextcloudStage()
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  stage.cloud.world.tokens.clear()
})

describe("a person at their own machine", () => {
  it("is asked once, signs in at Nextcloud, and the waiting call returns the notes", async () => {
    const { name, cloud } = stage
    const program = await stage.open({ kind: "v2 auto" })
    const listed = program.call("nc_notes_list_notes")
    const asked = await program.prompt(1)
    expect(asked.mode).toBe("url")
    const link = linkOf(asked)

    const people = stage.people(new URL(link).origin)
    const page = await people.arrive()
    await page.goto(link)
    await people.look(page, `Connect ${name}?`)
    const code = await page.locator(".code strong").innerText()
    expect(asked.message).toBe(
      `Nextcloud tools asks you to connect ${name}, to read your notes. The page shows the code ${code}.`,
    )
    expect(await page.getByRole("main").innerText()).toContain("notes.read")
    await page.getByRole("button", { name: `Continue to ${name}` }).click()
    await people.look(page, `Say yes at ${name}`)
    await grantInTab(page, "alice")
    await people.look(page, "Connected as Alice Example")

    const notes = await listed
    expect(notes, textOf(notes)).toMatchObject({ kind: "result", isError: false })
    expect(dataOf(notes)).toMatchObject({ total: expect.any(Number) })
    expect(program.prompts).toHaveLength(1)
    expect(cloud.access("alice")).toHaveLength(1)

    // A later call needs more scopes: one yes on the page, without a visit to Nextcloud.
    const created = program.call("nc_notes_create_note", { title: "Written by a program", content: "text" })
    const more = await program.prompt(2)
    expect(more.message).toContain("asks for more access")
    cloud.forget()
    await page.goto(linkOf(more))
    await people.look(page, `Allow more at ${name}?`)
    await page.getByRole("button", { name: "Allow", exact: true }).click()
    await people.look(page, "Connected as Alice Example")
    const note = await created
    expect(note, textOf(note)).toMatchObject({ isError: false })
    expect(cloud.requests.filter((one) => one.includes("/login"))).toEqual([])
    expect(cloud.access("alice")).toHaveLength(1)

    // The prompt names what would be lost, and No keeps it.
    const { id } = dataOf(note)
    program.answers = () => ({ action: "accept", content: { confirmed: false } })
    const declined = await program.call("nc_notes_delete_note", { note_id: id })
    expect(textOf(declined)).toContain("said no")
    expect((await program.prompt(3)).message).toContain("Written by a program")
    program.answers = () => ({ action: "accept", content: { confirmed: true } })
    const removed = await program.call("nc_notes_delete_note", { note_id: id })
    expect(removed, textOf(removed)).toMatchObject({ isError: false })
    expect(program.prompts).toHaveLength(4)
    const gone = await program.call("nc_notes_get_note", { note_id: id })
    expect(gone).toMatchObject({ isError: true })
  })

  it("is asked once for all scopes of parallel calls, on one page that lists them", async () => {
    const { name } = stage
    const program = await stage.open({ kind: "v2 auto" })
    const calls = Promise.all([
      program.call("nc_notes_list_notes"),
      program.call("nc_files_list_directory", { path: "/" }),
      program.call("nc_calendar_list_calendars"),
    ])
    const link = linkOf(await program.prompt(1))
    const people = stage.people(new URL(link).origin)
    const page = await people.arrive()
    await page.goto(link)
    await people.look(page, `Connect ${name}?`)
    // The page lists the tools of all calls, because the later calls joined the first call's question before it was
    // opened.
    const asked = page.getByRole("main").getByRole("listitem").getByRole("code")
    expect((await asked.allInnerTexts()).sort()).toEqual(["calendar.read", "files.read", "notes.read"])
    await page.getByRole("button", { name: `Continue to ${name}` }).click()
    await grantInTab(page, "alice")
    for (const called of await calls) expect(called, textOf(called)).toMatchObject({ isError: false })
    expect(program.prompts).toHaveLength(1)
  })
})

describe("OAuth 2 of Nextcloud's core", () => {
  it("redirects the person to the registered address, which only one process at a time can use", async () => {
    const { cloud, name } = stage
    const redirectUri = `${await freeAddress()}/oauth/callback`
    const client = cloud.registerClient("Nextcloud tools", redirectUri)
    const env = {
      NEXTCLOUD_OAUTH_CLIENT_ID: client.clientId,
      NEXTCLOUD_OAUTH_CLIENT_SECRET: client.clientSecret,
      ELICITATION_CALLBACK_URL: redirectUri,
    }
    const program = await stage.open({ kind: "v2 auto" }, env)
    // Calls the server first, because a client of 2026-07-28 does not wait until its server has started.
    expect(await program.tools()).toContain("nc_notes_list_notes")
    await expect(stage.open({ kind: "v2 legacy" }, env)).rejects.toThrow("Connection closed")
    const listed = program.call("nc_notes_list_notes")
    const link = linkOf(await program.prompt(1))
    const people = stage.people(new URL(link).origin)
    const page = await people.arrive()
    await page.goto(link)
    const [left] = await Promise.all([
      page.waitForRequest((request) => request.url().startsWith(`${cloud.url}/index.php/apps/oauth2/authorize?`)),
      page.getByRole("button", { name: `Continue to ${name}` }).click(),
    ])
    expect(Object.fromEntries(new URL(left.url()).searchParams)).toEqual({
      client_id: client.clientId,
      response_type: "code",
      redirect_uri: redirectUri,
      state: expect.stringMatching(/^[\w-]{22,}$/),
    })
    await grantAt(page, "alice")
    await people.look(page, "Connected as Alice Example (alice@")
    const notes = await listed
    expect(notes, textOf(notes)).toMatchObject({ isError: false })
    expect(program.prompts).toHaveLength(1)
  })
})

/** An address without a listener. */
async function freeAddress(): Promise<string> {
  const { url, close } = await startSite(() => {})
  await close()
  return url
}

describe("a client of 2025-11-25", () => {
  it("that handles the error -32042 shows its link, gets the completion, and retries", async () => {
    const program = await stage.open({ kind: "v1.32", name: "Visual Studio Code" })
    const listed = program.call("nc_notes_list_notes")
    const asked = await program.prompt(1)
    await follow(asked)
    const notes = await listed
    expect(notes, textOf(notes)).toMatchObject({ isError: false })
    expect(program.prompts).toHaveLength(1)
    expect(program.completions()).toBe(1)
  })

  it("that cannot be asked gets the link from a tool, and finds the account connected afterwards", async () => {
    const program = await stage.open({ kind: "no capability" })
    expect(await program.tools()).toEqual(expect.arrayContaining(["provision_nextcloud_access", "check_logged_in"]))
    const result = await program.call("nc_notes_list_notes")
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("Give the user this link") })
    expect(textOf(await program.call("check_logged_in"))).toBe("Login not detected")
    const { link } = dataOf(await program.call("provision_nextcloud_access", { scopes: ["notes.read"] }))
    // One question: the same link as in the call's result.
    expect(textOf(result)).toContain(link)
    expect(dataOf(await program.call("check_provisioning_status"))).toMatchObject({ pending: link })
    await follow({ url: String(link), message: textOf(result) })
    expect(dataOf(await program.call("check_provisioning_status"))).toMatchObject({
      status: "connected",
      account: expect.stringContaining("Alice Example"),
      scopes: ["notes.read"],
    })
    expect(textOf(await program.call("check_logged_in"))).toBe("yes")
    expect(await program.call("nc_notes_list_notes")).toMatchObject({ isError: false })
  })

  /** The person compares the code, agrees, and grants access at Nextcloud. */
  async function follow({ url = "", message }: Pick<Prompt, "url" | "message">): Promise<void> {
    const people = stage.people(new URL(url).origin)
    const page = await people.arrive()
    await page.goto(url)
    const code = page.locator(".code strong")
    await code.waitFor()
    expect(message).toContain(await code.innerText())
    await connect(page, url, "alice")
    await page.getByRole("heading", { name: "Connected as Alice Example" }).waitFor()
  }
})
