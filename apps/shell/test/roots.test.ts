// The folders that a script receives as its roots, and the folder in which it is started.

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { describe, expect, it, onTestFinished } from "vitest"
import { projectRoots } from "../src/roots.ts"
import type { Shell } from "./open-shell.ts"
import { opened } from "./opened.ts"

const prints = `printf '%s|%s' "$MCP_ROOTS_COUNT" "$MCP_ROOTS_PATHS"`
const report = (doing: string, error: unknown): never => {
  throw new Error(doing, { cause: error })
}

/** A client on a lasting connection, with folders that the test may change. */
async function connected(shell: Shell, folders: string[] | undefined) {
  const capabilities = folders === undefined ? {} : { roots: { listChanged: true } }
  const client = new Client({ name: "editor", version: "1" }, { capabilities })
  let asked = 0
  if (folders !== undefined)
    client.setRequestHandler("roots/list", () => {
      asked++
      return { roots: folders.map((path) => ({ uri: pathToFileURL(path).href })) }
    })
  const [here, there] = InMemoryTransport.createLinkedPair()
  shell.mcp.stdio({ transport: there })
  await client.connect(here)
  onTestFinished(() => client.close())
  const call = async (): Promise<string> => {
    const { content } = await client.callTool({ name: "where" })
    return (content as { readonly text: string }[])[0]?.text ?? ""
  }
  return { client, call, asked: () => asked }
}

describe("the folders of a client on this machine", () => {
  it("reach the script, and are requested again only when the client reports a change", async () => {
    const [one, two] = [makeScratchFolder("root"), makeScratchFolder("root")]
    const shell = await opened({ scripts: { where: prints }, hasLocalClients: true })
    const folders = [one]
    const { client, call, asked } = await connected(shell, folders)
    expect([await call(), await call(), asked()]).toEqual([`1|${one}`, `1|${one}`, 1])
    folders.push(two)
    await client.sendRootsListChanged()
    await expect.poll(call).toBe(`2|${one}\n${two}`)
  })

  it("are left out when they do not exist", async () => {
    const shell = await opened({ scripts: { where: prints }, hasLocalClients: true })
    const { call } = await connected(shell, [join(makeScratchFolder("root"), "gone")])
    expect(await call()).toBe("0|")
  })

  it("are not requested where clients may be on other machines, or cannot name any", async () => {
    const elsewhere = await opened({ scripts: { where: prints } })
    const { call, asked } = await connected(elsewhere, [makeScratchFolder("root")])
    expect([await call(), asked()]).toEqual(["0|", 0])
    const here = await opened({ scripts: { where: prints }, hasLocalClients: true })
    expect(await (await connected(here, undefined)).call()).toBe("0|")
  })
})

describe("the folders of a project", () => {
  const createProject = () => {
    const project = realpathSync(makeScratchFolder("project"))
    for (const name of ["config", "data", "other"]) mkdirSync(join(project, name))
    return project
  }

  it("come from config/roots.json, with links resolved and missing folders left out", () => {
    const project = createProject()
    symlinkSync(join(project, "other"), join(project, "link"))
    const roots = [{ path: "./data", name: "Data" }, "link", "gone", 7]
    writeFileSync(join(project, "config", "roots.json"), JSON.stringify({ roots }))
    expect(projectRoots(project, { env: {}, report })).toEqual([
      { path: join(project, "data"), name: "Data" },
      { path: join(project, "other") },
    ])
  })

  it("come from MCPBASH_ROOTS first, and a config/roots.json that is not JSON gives none", () => {
    const project = createProject()
    writeFileSync(join(project, "config", "roots.json"), "{")
    expect(projectRoots(project, { env: {}, report })).toEqual([])
    const env = { MCPBASH_ROOTS: `data:${join(project, "other")}` }
    expect(projectRoots(project, { env, report }).map(({ path }) => path)).toEqual([
      join(project, "data"),
      join(project, "other"),
    ])
  })

  it("are used for a client that names no folders", async () => {
    const shell = await opened({ scripts: { where: prints }, env: { MCPBASH_ROOTS: "tools" } })
    expect(await (await connected(shell, undefined)).call()).toBe(`1|${realpathSync(join(shell.folder, "tools"))}`)
  })
})

it("a script starts in the folder above the tools, with the files of its project", async () => {
  const shell = await opened({ scripts: { where: "#!/bin/sh\npwd -P" } })
  expect(await (await connected(shell, undefined)).call()).toBe(`${realpathSync(shell.folder)}\n`)
})
