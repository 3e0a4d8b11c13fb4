// `holdpoint ask --to` in one process and `holdpoint serve` in another, on one SQLite file: the person signs in with a
// real browser and answers in the inbox.

import { rmSync } from "node:fs"
import { openBrowser } from "@holdpoint/testkit/browser"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CommandProcess, startCommand } from "../processes.ts"
import { openPeople, type People } from "./people.ts"

const cwd = makeScratchFolder("ask-to")
let server: CommandProcess
let people: People
let publicUrl: string

beforeAll(async () => {
  server = startCommand(["serve", "--port", "0", "--log", "off"], { cwd })
  publicUrl = (await server.prints(/Holdpoint is at (\S+)/))[1] ?? ""
  people = openPeople(await openBrowser(), publicUrl)
})
afterAll(async () => {
  expect(await people.leave()).toEqual([])
  server.stop()
  await server.ended
  rmSync(cwd, { recursive: true, force: true })
})

const ask = (...argv: readonly string[]) => startCommand(["ask", "The tests are green.", ...argv], { cwd })

/** Signs in on the way to the inbox. */
async function openInbox(user: string) {
  const page = await people.arrive()
  await page.goto(`${publicUrl}/inbox`)
  await people.signIn(page, user)
  await people.look(page, "Inbox")
  return page
}

describe("a script that asks a person of holdpoint serve", () => {
  it("gets the answer that the person gives in the inbox, with a button that the script named", async () => {
    const asking = ask("--to", "alice", "--yes", "Deploy", "--no", "Not now")
    await asking.prints(new RegExp(`in the inbox at ${publicUrl}/inbox, signed in as alice`))
    const page = await openInbox("alice")
    await page.getByRole("button", { name: "Deploy", exact: true }).click()
    expect(await asking.ended).toMatchObject({ code: 0, out: '{"confirmed":"yes"}\n' })
  })

  it("gets a no from the other button, and reaches no other person", async () => {
    const asking = ask("--to", "bob@example.com", "--yes", "Deploy", "--no", "Not now")
    await asking.prints(/signed in as bob/)
    const [other, page] = [await openInbox("alice"), await openInbox("bob")]
    expect(await other.getByText("The tests are green.").count()).toBe(0)
    await page.getByRole("button", { name: "Not now", exact: true }).click()
    expect(await asking.ended).toMatchObject({ code: 1, out: '{"confirmed":"no"}\n' })
  })
})
