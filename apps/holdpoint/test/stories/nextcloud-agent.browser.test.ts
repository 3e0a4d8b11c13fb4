// A model that has the links and plain HTTP, but no person: on a machine with a screen it approves nothing; the person
// does, in the browser that the server opens.

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { dataOf, textOf } from "./nextcloud-program.ts"
import { grantInTab, type NextcloudStage, openNextcloudStage } from "./nextcloud-world.ts"

let stage: NextcloudStage
let folder = ""
beforeAll(async () => {
  stage = await openNextcloudStage()
  folder = mkdtempSync(join(tmpdir(), "screen-"))
  // Replaces the desktop's program for opening addresses by one that saves the address for the test's browser.
  for (const program of ["xdg-open", "open"]) {
    writeFileSync(join(folder, program), `#!/bin/sh\nprintf '%s\\n' "$1" >> "${folder}/opened"\n`)
    chmodSync(join(folder, program), 0o755)
  }
})
afterEach(async () => expect(await stage.leave()).toEqual([]))
afterAll(async () => {
  await stage.close()
  rmSync(folder, { recursive: true, force: true })
})

const opened = (): readonly string[] => {
  const file = join(folder, "opened")
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []
}

const linkIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(text)?.[0] ?? ""

/** Submits every form of the page that the model can reach, and those of the real page. */
async function tryToApprove(link: string): Promise<void> {
  const agent = openJarBrowser()
  const page = await agent.open(link)
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
  for (const fields of [{ do: "continue" }, { do: "accept", confirmed: "true" }, { do: "yes" }]) {
    await agent.submit(page, fields)
    const body = new URLSearchParams({ ...fields, csrf })
    expect((await agent.ask(link, { method: "POST", body })).status).toBe(403)
  }
  await agent.submit(page, { do: "show" })
}

describe("a model whose client cannot ask", () => {
  it("can neither connect an account nor confirm a deletion; only the person can", async () => {
    const { name, cloud } = stage
    const env = {
      ...{ HOLDPOINT_OPEN_BROWSER: "true", DISPLAY: ":99" },
      PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`,
    }
    const program = await stage.open({ kind: "no capability" }, env)
    const link = linkIn(textOf(await program.call("nc_notes_create_note", { title: "Taxes", content: "all of them" })))
    await tryToApprove(link)
    expect(cloud.access("alice")).toEqual([])

    await vi.waitFor(() => expect(opened()).toHaveLength(1), { timeout: 10_000 })
    const people = stage.people(new URL(link).origin)
    const page = await people.arrive()
    await page.goto(opened()[0] ?? "")
    await people.look(page, `Connect ${name}?`)
    expect(page.url()).toBe(link)
    await page.getByRole("button", { name: `Continue to ${name}` }).click()
    await grantInTab(page, "alice")
    await people.look(page, "Connected as Alice Example")

    const note = await program.call("nc_notes_create_note", { title: "Taxes", content: "all of them" })
    const { id } = dataOf(note)
    const removing = { note_id: id }
    const question = linkIn(textOf(await program.call("nc_notes_delete_note", removing)))
    await tryToApprove(question)
    expect(cloud.requests.filter((request) => request.startsWith("DELETE"))).toEqual([])

    // The person's browser has a session now, so the model's link works in it.
    await page.goto(question)
    await page.getByText("Taxes").first().waitFor()
    await page.getByRole("button", { name: "Delete note", exact: true }).click()
    await page.getByRole("heading", { level: 1 }).first().waitFor()
    expect(await program.call("nc_notes_delete_note", removing)).toMatchObject({ isError: false })
    expect(cloud.requests.filter((request) => request.startsWith("DELETE"))).toHaveLength(1)
  })
})
