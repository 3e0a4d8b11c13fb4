// The stand-in runs as a command.

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
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { output, errors, code: child.exitCode }
}

it("prints its address and accounts, has initial content, and exits with 0 on SIGINT", async () => {
  const child = run("--port", "0", "--path", "/cloud")
  const [chunk] = (await once(child.stdout, "data")) as [Buffer]
  const output = chunk.toString()
  const url = /http:\/\/127\.0\.0\.1:\d+\/cloud/.exec(output)?.[0] ?? ""
  expect(output).toMatch(/dora +\S+ +\(the id of this account is ldap-7f3a\)/)
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
  expect([help.code, help.errors]).toEqual([0, ""])
  expect(help.output).toContain("--port N")
  expect([unknown, port, path].map(({ code, output }) => [code, output])).toEqual([
    [2, ""],
    [2, ""],
    [2, ""],
  ])
  expect(port.errors).toContain('not "70000"')
  expect(path.errors).toContain("such as /cloud")
})
