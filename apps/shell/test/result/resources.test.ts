// Files that a script attaches to its result, and files that it must not be able to attach.

import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, describe, expect, it } from "vitest"
import { toResult } from "../../src/result/result.ts"
import { endedOf, toolOf } from "./ended.ts"

const base = makeScratchFolder("resources")
afterAll(() => rmSync(base, { recursive: true, force: true }))

const root = join(base, "project/tools")
const folder = join(root, "report")
const call = join(base, "call")
const client = join(base, "client")
const secret = join(base, "client-secrets/key.txt")
for (const one of [folder, call, client, join(base, "client-secrets"), join(base, "project/resources")])
  mkdirSync(one, { recursive: true })
writeFileSync(secret, "canary of the key")
writeFileSync(join(call, "report.md"), "# Report")
writeFileSync(join(call, "image"), Buffer.from([0x89, 0x50, 0, 0xff]))
writeFileSync(join(base, "project/resources/data.json"), "{}")

const attach = async (resources: string, mostEmbeddedBytes?: number) => {
  const limits = mostEmbeddedBytes === undefined ? {} : { mostEmbeddedBytes }
  const ended = endedOf({ stdout: "ok", resources })
  const { content } = await toResult(ended, toolOf({ root, folder }), { folders: [call, client], ...limits })
  return content.slice(1)
}

describe("attached files", () => {
  const report = {
    type: "resource",
    resource: { uri: pathToFileURL(join(call, "report.md")).href, mimeType: "text/markdown", text: "# Report" },
  }

  it.each([
    ["a JSON array of paths", JSON.stringify([join(call, "report.md")])],
    ["a JSON array of objects", JSON.stringify([{ path: join(call, "report.md") }])],
    ["one JSON object", JSON.stringify({ path: join(call, "report.md") })],
    ["a JSON object on each line", `${JSON.stringify({ path: join(call, "report.md") })}\n`],
    ["lines with tabs", `${join(call, "report.md")}\t\t\n`],
    ["lines with only a path", `\n${join(call, "report.md")}\r\n`],
  ])("can be listed as %s", async (_, list) => {
    expect(await attach(list)).toEqual([report])
  })

  it("have the type and URI that the script gave", async () => {
    expect(await attach(`${join(call, "report.md")}\ttext/plain\tcustom://report\n`)).toEqual([
      { type: "resource", resource: { uri: "custom://report", mimeType: "text/plain", text: "# Report" } },
    ])
  })

  it("are base64 when they are not text, whatever type the script gave", async () => {
    const [block] = await attach(`${join(call, "image")}\ttext/plain\n`)
    expect(block).toMatchObject({ resource: { blob: Buffer.from([0x89, 0x50, 0, 0xff]).toString("base64") } })
  })

  it("may have paths relative to the project or to the tool's folder", async () => {
    writeFileSync(join(folder, "notes.txt"), "notes")
    expect(await attach("resources/data.json\nnotes.txt\n")).toMatchObject([
      { resource: { mimeType: "application/json", text: "{}" } },
      { resource: { text: "notes" } },
    ])
  })

  it("are left out when the script failed", async () => {
    const ended = endedOf({ code: 1, resources: join(call, "report.md") })
    const { content } = await toResult(ended, toolOf({ root, folder }), { folders: [call] })
    expect(content.some(({ type }) => type === "resource")).toBe(false)
  })

  it("are reported when they are missing, too large or too many", async () => {
    expect(await attach(join(call, "gone.txt"))).toMatchObject([{ text: expect.stringContaining("does not exist") }])
    expect(await attach(join(call, "report.md"), 5)).toMatchObject([
      { text: expect.stringMatching(/^report\.md was not attached: it has 8 bytes/) },
    ])
    const two = `${join(call, "report.md")}\n${join(call, "report.md")}\n`
    expect(await attach(two, 10)).toMatchObject([report, { text: expect.stringContaining("2 more can be attached") }])
    const blocks = await attach(`${join(call, "report.md")}\n`.repeat(102))
    expect(blocks).toHaveLength(101)
    expect(blocks.at(-1)).toMatchObject({ text: expect.stringContaining("2 more files") })
  })
})

describe("a file outside the allowed folders", () => {
  const refused = [{ type: "text", text: expect.stringContaining("outside of the folders") }]

  it("is refused when the script gives its path", async () => {
    expect(await attach("/etc/passwd")).toEqual(refused)
    expect(await attach(secret)).toEqual(refused)
    expect(await attach(join(call, "../client-secrets/key.txt"))).toEqual(refused)
  })

  it("is refused behind a symbolic link to the file or to its folder", async () => {
    symlinkSync(secret, join(call, "link.txt"))
    symlinkSync(join(base, "client-secrets"), join(call, "linked"))
    expect(await attach(join(call, "link.txt"))).toEqual(refused)
    expect(await attach(join(call, "linked/key.txt"))).toEqual(refused)
  })

  it("is refused in a folder whose name begins with the name of a root", async () => {
    expect(`${client}-secrets/key.txt`).toBe(secret)
    expect(await attach(secret)).toEqual(refused)
  })

  it("is refused in the project outside its resources folder", async () => {
    writeFileSync(join(base, "project/.env"), "canary")
    expect(await attach(join(base, "project/.env"))).toEqual(refused)
  })
})

it("a pipe or a folder is not attached, and does not block the call", async () => {
  execFileSync("mkfifo", [join(call, "pipe")])
  expect(await attach(join(call, "pipe"))).toMatchObject([{ text: expect.stringContaining("not a regular file") }])
  expect(await attach(call)).toMatchObject([{ text: expect.stringMatching(/not a regular file|EISDIR/) }])
})
