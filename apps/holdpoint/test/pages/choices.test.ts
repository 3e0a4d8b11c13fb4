// What people choose for themselves on their account page.

import { createMemoryStorage } from "@holdpoint/hub"
import type { PageChoices } from "@holdpoint/server/http"
import { createChoices } from "@holdpoint/server/identity"
import type { JarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { afterAll, beforeAll, expect, it } from "vitest"

const storedChoices = createChoices(createMemoryStorage(), { now: () => 1 })
const choices: PageChoices = {
  kept: storedChoices,
  groups: async () => [
    {
      id: "confirm",
      title: "Before something is removed",
      words: "Choose how often you are asked.",
      options: [
        { value: "always", title: "Each time" },
        { value: "never", title: "Never" },
      ],
      items: [
        { name: "confirm <notes>", title: "Delete a <note>", usual: "always" },
        { name: "confirm files", title: "Delete a file", usual: "never" },
      ],
    },
  ],
}

let world: World
let alice: JarBrowser
beforeAll(async () => {
  world = await openWorld({ pages: { choices } })
  alice = await world.signIn("alice")
})
afterAll(() => world.close())

const page = () => alice.open(`${world.server.publicUrl}/account`)

/** Submits the form of the choices only. */
async function save(fields: Readonly<Record<string, string>>, csrf?: string) {
  const visited = await page()
  const form = /action="\/account\/choices"[\s\S]*?<\/form>/.exec(visited.text)?.[0] ?? ""
  const token = csrf ?? /name="csrf" value="([^"]+)"/.exec(form)?.[1] ?? ""
  const { publicUrl } = world.server
  return alice.ask(`${publicUrl}/account/choices`, {
    method: "POST",
    headers: { origin: publicUrl, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrf: token, group: "confirm", ...fields }).toString(),
  })
}

const chosen = async () => Object.fromEntries(await storedChoices.all(world.person("alice")))

it("choices are shown with their defaults, and stored when they are saved", async () => {
  const visited = await page()
  expect(visited.text).toContain("Before something is removed")
  expect(visited.text).toContain("Delete a &lt;note&gt;")
  expect(visited.text).toContain("Default: Each time")
  const saved = await save({ "confirm <notes>": "never", "confirm files": "" })
  expect(saved.text).toContain("Saved: Before something is removed.")
  expect(await chosen()).toEqual({ "confirm <notes>": "never" })
  expect((await page()).text).toMatch(/<option value="never" selected>/)
})

it("unknown choices are ignored, and empty ones restore the defaults", async () => {
  await save({ "confirm <notes>": "never", "confirm files": "" })
  await save({ "confirm <notes>": "whatever", "confirm files": "always", x: "y" })
  expect(await chosen()).toEqual({ "confirm <notes>": "never", "confirm files": "always" })
  await save({ "confirm <notes>": "", "confirm files": "" })
  expect(await chosen()).toEqual({})
})

it("choices belong to one person, and a forged post changes nothing", async () => {
  await save({ "confirm files": "always" })
  expect((await storedChoices.all(world.person("bob"))).size).toBe(0)
  const posted = await save({ "confirm files": "never" }, "forged")
  expect(posted.status).toBeGreaterThanOrEqual(400)
  expect(await chosen()).toMatchObject({ "confirm files": "always" })
})
