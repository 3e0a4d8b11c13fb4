// `npm run test:live` against the stand-in in a separate process: the run passes, removes what it created, and names
// missing settings.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { compiled } from "@holdpoint/testkit/compiled"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createNextcloud } from "../../src/api/client.ts"
import { table } from "../../src/tools/table.ts"
import { callTool, toolOf } from "../fits.ts"

const main = fileURLToPath(new URL("main.ts", import.meta.url))
const standIn = fileURLToPath(new URL("../../../../tools/nextcloud-stand-in/src/main.ts", import.meta.url))
/** The toolsets whose data the stand-in stores like a real server. It answers the others from recordings. */
const toolsets =
  "notes,files,history,sharing,calendar,tasks,contacts,collectives,mail,search,notifications,status,users"

let server: ChildProcess
let url = ""
beforeAll(async () => {
  server = spawn(process.execPath, [standIn, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] })
  const [output] = (await once(server.stdout ?? server, "data")) as [Buffer]
  url = /http:\S+/.exec(output.toString())?.[0] ?? ""
})
afterAll(async () => {
  server.kill()
  await once(server, "exit")
})

async function run(environment: Readonly<Record<string, string>>) {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [main], { env: { PATH, HOME, ...compiled, ...environment } })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()))
  const [code] = (await once(child, "close")) as [number | null]
  return { code, output }
}

/** Lists everything in alice's account, to compare before and after the run. */
async function inventory(): Promise<readonly unknown[]> {
  const authorization = `Basic ${Buffer.from("alice:alice-Pass-2026").toString("base64")}`
  const nextcloud = createNextcloud({
    url,
    facts: {},
    fetch: (address, init) => fetch(address, { ...init, headers: { ...(init.headers as object), authorization } }),
  })
  const read = (name: string): Promise<unknown> => callTool(toolOf(table, name), {}, nextcloud)
  const names = [
    "nc_notes_list_notes",
    "nc_calendar_list_calendars",
    "nc_contacts_list_contacts",
    "nc_contacts_list_addressbooks",
    "nc_collectives_list_collectives",
    "nc_sharing_list_shares",
    "nc_files_list_tags",
    "nc_files_list_trash",
    "nc_notes_get_settings",
  ]
  const { items } = (await read("nc_files_list_directory")) as { items: readonly { path: string }[] }
  return [items.map(({ path }) => path), ...(await Promise.all(names.map(read)))]
}

it("the live run passes against the stand-in, and leaves the account unchanged", async () => {
  const before = await inventory()
  const { code, output } = await run({
    NEXTCLOUD_HOST: url,
    NEXTCLOUD_TEST_USER_1: "alice",
    NEXTCLOUD_TEST_PASSWORD_1: "alice-Pass-2026",
    NEXTCLOUD_TEST_USER_2: "bob",
    NEXTCLOUD_TEST_PASSWORD_2: "bob-Pass-2026",
    NEXTCLOUD_TEST_TOOLSETS: toolsets,
  })
  expect(code, output).toBe(0)
  expect(output).toMatch(/Removed from account 1: \d+ notes/)
  expect(output).toMatch(/\d{3} passed/)
  expect(await inventory()).toEqual(before)
})

it("the live run names each missing or invalid variable, and exits with 2", async () => {
  const { code, output } = await run({ NEXTCLOUD_HOST: "cloud.example.org", NEXTCLOUD_TEST_TOOLSETS: "notes,maps" })
  expect(code).toBe(2)
  expect(output).toContain("NEXTCLOUD_TEST_PASSWORD_2 is not set: its password")
  expect(output).toContain("NEXTCLOUD_HOST is not an address")
  expect(output).toContain("NEXTCLOUD_TEST_TOOLSETS has “maps”")
})
