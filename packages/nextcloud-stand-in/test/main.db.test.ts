// The stand-in as a command.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const run = (...args: readonly string[]) =>
  spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] })

async function outcome(...args: readonly string[]) {
  const child = run(...args)
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { said, complained, code: child.exitCode }
}

it("prints its address and accounts, has initial content, and ends cleanly", async () => {
  const child = run("--port", "0", "--path", "/cloud")
  const [chunk] = (await once(child.stdout, "data")) as [Buffer]
  const said = chunk.toString()
  const url = /http:\/\/127\.0\.0\.1:\d+\/cloud/.exec(said)?.[0] ?? ""
  expect(said).toMatch(/dora +\S+ +\(the id of this account is ldap-7f3a\)/)
  const authorization = `Basic ${Buffer.from("alice:alice-Pass-2026").toString("base64")}`
  const notes = await fetch(`${url}/apps/notes/api/v1/notes`, { headers: { authorization } })
  expect((await notes.json()) as unknown[]).not.toHaveLength(0)
  child.kill("SIGINT")
  expect(await once(child, "close")).toEqual([0, null])
})

it("prints help, and exits with 2 on wrong arguments", async () => {
  const [help, unknown, port, path] = await Promise.all([
    outcome("--help"),
    outcome("--prot", "1"),
    outcome("--port", "70000"),
    outcome("--path", "cloud/"),
  ])
  expect([help.code, help.complained]).toEqual([0, ""])
  expect(help.said).toContain("--port N")
  expect([unknown, port, path].map(({ code, said }) => [code, said])).toEqual([
    [2, ""],
    [2, ""],
    [2, ""],
  ])
  expect(port.complained).toContain('not "70000"')
  expect(path.complained).toContain("such as /cloud")
})
