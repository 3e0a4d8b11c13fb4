// What a person can see and change afterwards: their account page, with the keyboard only. With HOLDPOINT_PICTURES=1 it
// writes pictures to docs/pictures.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openEverything, scrollsSideways } from "@holdpoint/testkit/in-page"
import { shrink } from "@holdpoint/testkit/server/web/shrink"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dataOf, linkOf, type NextcloudProgram, textOf } from "./nextcloud-program.ts"
import { connect, grantInTab, type NextcloudStage, openNextcloudStage } from "./nextcloud-world.ts"
import { type People, tabTo } from "./people.ts"

let stage: NextcloudStage
let program: NextcloudProgram
let people: People
let page: Page
let pages: string

/** Opens a program of alice, with which she connects her Nextcloud. */
beforeAll(async () => {
  stage = await openNextcloudStage()
  program = await stage.open({ kind: "v2 auto", name: "Example program" })
  const listed = program.call("nc_notes_list_notes")
  const link = linkOf(await program.prompt(1))
  pages = new URL(link).origin
  people = stage.people(pages)
  page = await people.arrive()
  await connect(page, link, "alice")
  expect(await listed).toMatchObject({ isError: false })
})
afterAll(async () => {
  expect(await stage.leave()).toEqual([])
  await stage.close()
})

/** Writes a note that a test deletes. */
async function write(title: string): Promise<unknown> {
  const created = await program.call("nc_notes_create_note", { title, content: "text" })
  expect(created, textOf(created)).toMatchObject({ isError: false })
  return dataOf(created).id
}

async function remove(title: string): Promise<void> {
  const note_id = await write(title)
  const removed = await program.call("nc_notes_delete_note", { note_id })
  expect(removed, textOf(removed)).toMatchObject({ isError: false })
}

/** Allows more scopes on the page of the newest prompt, with the keyboard. */
async function allowMore(words: string): Promise<void> {
  const asked = await program.prompt(program.prompts.length + 1)
  expect(asked.message).toContain(`asks for more access to ${stage.name}, to ${words}.`)
  await page.goto(linkOf(asked))
  await people.look(page, `Allow more at ${stage.name}?`)
  await tabTo(page, "Allow")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Connected as Alice Example" }).waitFor()
}

describe("the account page, with only the keyboard", () => {
  const mayWrite = "Write, change and delete your notes"

  it("shows what is connected, as whom and with which scopes; a removed scope is requested again", async () => {
    const { name } = stage
    const first = write("Shopping")
    await allowMore("write, change and delete your notes")
    await first

    // Without a sign-in, only the browser that connected an account can open the account page.
    const other = await people.arrive()
    await other.goto(`${pages}/account`)
    await people.look(other, "Open a question by its link")
    await tabTo(page, "your account")
    await page.keyboard.press("Enter")
    await people.look(page, "Account")
    expect(page.url()).toBe(`${pages}/account`)
    const connected = page.getByRole("region", { name: "Connected accounts" })
    const text = await connected.innerText()
    for (const words of [name, "Alice Example", "Read your notes", mayWrite]) expect(text).toContain(words)
    await tabTo(page, "Allow less")
    await page.keyboard.press("Enter")
    await tabTo(page, `Remove ${mayWrite}`)
    await page.keyboard.press("Enter")
    await page.getByText(`No longer allowed at ${name}: “${mayWrite}”.`).waitFor()
    expect(await connected.innerText()).not.toContain(mayWrite)
    await people.look(page, "Account")

    const prompts = program.prompts.length
    expect(await program.call("nc_notes_list_notes")).toMatchObject({ isError: false })
    expect(program.prompts).toHaveLength(prompts)
    const second = write("Once more")
    await allowMore("write, change and delete your notes")
    await second
    expect(stage.cloud.access("alice")).toHaveLength(1)
  })

  /** Chooses an option of the form “Before something is removed or shared”. */
  async function choose(option: string): Promise<void> {
    await page.goto(`${pages}/account`)
    await tabTo(page, "Choose Before something is removed or shared")
    await page.keyboard.press("Enter")
    await tabTo(page, "Delete a note")
    await page.keyboard.type(option)
    await tabTo(page, "Save")
    await page.keyboard.press("Enter")
    await page.getByText("Saved: Before something is removed or shared.").waitFor()
  }

  it.each([
    { option: "Never ask", prompts: [0, 0] },
    { option: "Ask the first time", prompts: [1, 0] },
    { option: "Ask each time", prompts: [1, 1] },
  ])("sets how often the person is asked before a note is deleted: $option", async ({ option, prompts }) => {
    await choose(option)
    for (const wanted of prompts) {
      const before = program.prompts.length
      await remove(`To be deleted, ${option}`)
      const asked = program.prompts.slice(before).map(({ message }) => message)
      expect(asked).toHaveLength(wanted)
      for (const message of asked) expect(message).toContain(`To be deleted, ${option}`)
    }
    const select = page.getByLabel("Delete a note")
    expect(await select.locator("option:checked").textContent()).toBe(option)
  })
})

describe("the pictures", () => {
  const folder = fileURLToPath(new URL("../../../../docs/pictures", import.meta.url))
  const sizes = { phone: { width: 390, height: 760 }, desktop: { width: 1280, height: 760 } } as const

  /** Takes pictures in every colour scheme and width, and expects that nothing overflows to the side. */
  async function take(name: string): Promise<void> {
    for (const size of ["phone", "desktop"] as const)
      for (const scheme of ["light", "dark"] as const) {
        await page.setViewportSize(sizes[size])
        await page.emulateMedia({ colorScheme: scheme })
        expect(await page.evaluate(scrollsSideways), name).toBe(false)
        if (!process.env.HOLDPOINT_PICTURES) continue
        const picture = shrink(await page.screenshot({ fullPage: true, animations: "disabled" }))
        expect(picture.length, name).toBeLessThan(100_000)
        writeFileSync(join(folder, `nextcloud-${name}-${size}-${scheme}.png`), picture)
      }
  }

  it("of every page of the flow fit on small and large screens, in both colour schemes", async () => {
    const { name } = stage
    const listed = program.call("nc_files_list_directory", { path: "/" })
    await page.goto(linkOf(await program.prompt(program.prompts.length + 1)))
    await take("more")
    await page.getByRole("button", { name: "Allow", exact: true }).click()
    await page.getByRole("heading", { name: "Connected as Alice Example" }).waitFor()
    await listed
    await page.getByRole("link", { name: "your account" }).click()
    await people.look(page, "Account")
    await take("account")
    await page.evaluate(openEverything)
    await people.look(page, "Account")
    await take("choices")

    stage.cloud.world.tokens.clear()
    const again = program.call("nc_notes_list_notes")
    await page.goto(linkOf(await program.prompt(program.prompts.length + 1)))
    await take("again")
    await page.getByRole("button", { name: `Continue to ${name}` }).click()
    await page.getByRole("heading", { name: `Say yes at ${name}` }).waitFor()
    await take("waiting")
    await grantInTab(page, "alice")
    await page.getByRole("heading", { name: "Connected as Alice Example" }).waitFor()
    await take("done")
    expect(await again).toMatchObject({ isError: false })
  })
})
