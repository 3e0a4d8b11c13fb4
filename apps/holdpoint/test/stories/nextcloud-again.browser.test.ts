// Lost connections: each time the next call asks again, says why, and continues.

import { person } from "@holdpoint/nextcloud-stand-in"
import type { Prompt } from "@holdpoint/testkit/mcp/server/clients/client"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { dataOf, linkOf, type NextcloudProgram, textOf } from "./nextcloud-program.ts"
import { connect, type NextcloudStage, openNextcloudStage } from "./nextcloud-world.ts"
import type { People } from "./people.ts"

let stage: NextcloudStage
let program: NextcloudProgram
let people: People
let page: Page
let before = 0

/** Opens a program of alice, who has connected her Nextcloud. All tests but the last restore this state. */
beforeAll(async () => {
  stage = await openNextcloudStage()
  program = await stage.open({ kind: "v2 auto" })
  const listed = program.call("nc_notes_list_notes")
  const link = linkOf(await program.prompt(1))
  people = stage.people(new URL(link).origin)
  page = await people.arrive()
  await connect(page, link, "alice")
  expect(await listed).toMatchObject({ isError: false })
})
afterAll(async () => {
  expect(await stage.leave()).toEqual([])
  await stage.close()
})
beforeEach(() => {
  before = program.prompts.length
  // Each test is another day: Nextcloud throttles after ten refused sign-ins within half an hour.
  stage.cloud.forgive()
})

/** The prompt with this number in this test, from 1. */
const prompt = (number: number): Promise<Prompt> => program.prompt(before + number)
const prompted = (): number => program.prompts.length - before

const why =
  "no longer accepts the access it granted (the app password was deleted there, the password was changed, or the account is disabled)"

/** Opens the page for the prompt with this number, which explains why it asks again. */
async function reconsider(number: number): Promise<void> {
  const { name } = stage
  const asked = await prompt(number)
  expect(asked.message).toContain(`Nextcloud tools asks you to connect ${name} again: ${name} ${why}.`)
  await page.goto(linkOf(asked))
  await people.look(page, `Connect ${name}?`)
  expect(await page.getByRole("main").innerText()).toContain(`Why again? ${name} ${why}.`)
}

/** Opens a tab at Nextcloud, in which the person does this work. */
async function atNextcloud(work: (tab: Page) => Promise<unknown>): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto(`${stage.cloud.url}/index.php/apps/files/`)
  await work(tab)
  await tab.close()
}

const signOut = (tab: Page): Promise<unknown> => tab.goto(`${stage.cloud.url}/index.php/logout`)

/** Under Settings > Security: revokes all app passwords. */
const revokeAll = async (tab: Page): Promise<void> => {
  for (const { id } of stage.cloud.world.tokens)
    await tab.evaluate(`fetch("/index.php/csrftoken")
      .then((response) => response.json())
      .then(({ token }) => fetch("/index.php/settings/personal/authtokens/${id}", {
        method: "DELETE", headers: { requesttoken: token },
      }))`)
}

describe("after", () => {
  it("the app password was deleted in Nextcloud's settings, alice is asked once more, with the reason", async () => {
    const { cloud } = stage
    await atNextcloud(revokeAll)
    expect(cloud.access("alice")).toEqual([])
    const listed = program.call("nc_notes_list_notes")
    await reconsider(1)
    expect(await page.getByRole("main").innerText()).toMatch(/Connected before\s+Alice Example/)
    await connect(page, page.url(), "alice")
    await people.look(page, "Connected as Alice Example")
    expect(await listed).toMatchObject({ isError: false })
    expect(await program.call("nc_notes_list_notes")).toMatchObject({ isError: false })
    expect(prompted()).toBe(1)
    expect(cloud.access("alice")).toHaveLength(1)
  })

  it("a changed password, earlier permissions need not be granted again", async () => {
    const { cloud } = stage
    // As with LDAP accounts: the app passwords are void from then on.
    cloud.world.users.set("alice", person("alice", { password: "alice-Pass-2027" }))
    cloud.world.tokens.clear()
    await atNextcloud(signOut)
    const listed = program.call("nc_notes_list_notes")
    await reconsider(1)
    await connect(page, page.url(), "alice", "alice-Pass-2027")
    expect(await listed).toMatchObject({ isError: false })
    expect(prompted()).toBe(1)
  })

  it("the account was disabled, calls fail without a question, and work again once it is enabled", async () => {
    const { cloud } = stage
    cloud.switches.disabled.add("alice")
    const result = await program.call("nc_notes_list_notes")
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("account is disabled") })
    cloud.switches.disabled.delete("alice")
    expect(await program.call("nc_notes_list_notes")).toMatchObject({ isError: false })
    expect(prompted()).toBe(0)
  })

  it("the app password was deleted, the model learns of a No, and the next call asks again", async () => {
    const { cloud } = stage
    cloud.world.tokens.clear()
    const refused = program.call("nc_notes_list_notes")
    await reconsider(1)
    await page.getByRole("button", { name: "No", exact: true }).click()
    await people.look(page, "Not connected")
    expect(await refused).toMatchObject({ isError: true, text: expect.stringContaining("said no") })
    expect(prompted()).toBe(1)

    const listed = program.call("nc_notes_list_notes")
    await reconsider(2)
    await connect(page, page.url(), "alice")
    expect(await listed).toMatchObject({ isError: false })
    expect(prompted()).toBe(2)
  })

  it("revoke_nextcloud_access, Nextcloud has no app password left and a call starts over", async () => {
    const { cloud, name } = stage
    program.answers = () => ({ action: "accept", content: { confirmed: false } })
    expect(textOf(await program.call("revoke_nextcloud_access"))).toContain("stays connected")
    expect((await prompt(1)).message).toMatch(/^Disconnect Nextcloud \(Alice Example/)
    expect(cloud.access("alice")).toHaveLength(1)
    program.answers = () => ({ action: "accept", content: { confirmed: true } })
    const ended = await program.call("revoke_nextcloud_access")
    expect(dataOf(ended)).toMatchObject({ disconnected: [expect.stringContaining("Alice Example")] })
    expect(cloud.access("alice")).toEqual([])

    const listed = program.call("nc_notes_list_notes")
    const asked = await prompt(3)
    expect(asked.message).toContain(`Nextcloud tools asks you to connect ${name}, to read your notes.`)
    await connect(page, linkOf(asked), "alice")
    expect(await listed).toMatchObject({ isError: false })
  })

  it("another person has signed in at Nextcloud, alice confirms the account before it is used", async () => {
    const { cloud } = stage
    cloud.world.tokens.clear()
    await atNextcloud(signOut)
    const listed = program.call("nc_notes_list_notes")
    await reconsider(1)
    await connect(page, page.url(), "bob")
    await people.look(page, "A different account than before")
    const facts = await page.getByRole("main").innerText()
    expect(facts).toMatch(/Until now\s+Alice Example/)
    expect(facts).toMatch(/Now\s+Bob Example/)
    await page.getByRole("button", { name: /^No, keep Alice Example/ }).click()
    await page.getByText("That was a different account, so it was not connected.").waitFor()
    // Bob's grant is revoked.
    await expect.poll(() => cloud.access("bob")).toEqual([])

    await connect(page, page.url(), "bob")
    await page.getByRole("button", { name: /^Use Bob Example/ }).click()
    await people.look(page, "Connected as Bob Example")
    expect(await listed).toMatchObject({ isError: false })
    expect(cloud.access("bob")).toHaveLength(1)
    expect(prompted()).toBe(1)
  })
})
