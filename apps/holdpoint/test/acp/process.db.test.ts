// The command as editors start it: a process on stdio, with the official client at the other end.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { ndJsonStream } from "@agentclientprotocol/sdk"
import { type GuardedServer, goodKey, startGuardedServer } from "@holdpoint/testkit/agents/guarded-server"
import { hear, noteCanary } from "@holdpoint/testkit/canaries/note"
import { choose, startEditor } from "@holdpoint/testkit/holdpoint/acp/editor"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { bundledAt, programAt } from "@holdpoint/testkit/programs"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { describe, expect, it, onTestFinished } from "vitest"

const command = fileURLToPath(new URL("../../../../tools/testkit/src/holdpoint/command-process.ts", import.meta.url))
const config = fileURLToPath(new URL("process-config.ts", import.meta.url))

function openHome() {
  const home = makeScratchFolder("acp-process")
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Starts the command in this folder, and an editor on it. */
async function start(home: string, { url, provider }: GuardedServer) {
  const flags = ["--config", bundledAt(config), "--database", join(home, "hub.db"), "--as", "alice"]
  const child = spawn(process.execPath, [...programAt(command), "acp", "--agent", "helper", ...flags], {
    ...{ cwd: home, stdio: ["pipe", "pipe", "pipe"] },
    env: {
      ...{ PATH: process.env.PATH ?? "", HOME: home },
      ...{ ACP_NOTES_URL: url, ACP_NOTES_PROVIDER: JSON.stringify(provider) },
    },
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const printed = { out: "", err: "" }
  child.stdout.on("data", (text) => {
    printed.out += text
  })
  child.stderr.on("data", (text) => {
    printed.err += text
  })
  const ended = once(child, "close").then(([code]) => {
    hear("printed", "holdpoint acp", printed.out + printed.err)
    return code as number | null
  })
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>
  const editor = await startEditor((client) => client.connect(ndJsonStream(output, input)))
  return { child, printed, ended, editor }
}

describe("the process of holdpoint acp", { timeout: 60_000 }, () => {
  it("asks with a form, for permission and for an account, and ends when its editor does", async () => {
    const notes = await startGuardedServer()
    noteCanary("key", goodKey)
    const { child, printed, ended, editor } = await start(openHome(), notes)
    const session = await editor.open()
    const replied = editor.prompt(session, "trip, delete and list")
    const permission = await editor.nextPermission()
    const asked = [await editor.nextElicitation(), await editor.nextElicitation()]
    const form = asked.find(({ params }) => params.mode === "form")
    const link = asked.find(({ params }) => params.mode === "url")
    form?.reply({ action: "accept", content: { where: "Oslo" } })
    permission.reply(choose("allow"))
    link?.reply({ action: "accept" })
    const { url, elicitationId } = { url: "", elicitationId: "", ...link?.params }
    const browser = openJarBrowser()
    expect((await browser.submit(await browser.open(url), { do: "continue", key: goodKey })).status).toBe(200)
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(editor.completed).toEqual([elicitationId])
    for (const result of ["3 days in Oslo", "delete: done", "Milk, Bread"]) expect(editor.said()).toContain(result)
    child.stdin.end()
    expect(await ended).toBe(0)
    const lines = printed.out.trim().split("\n")
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(lines.map(() => "2.0"))
    expect(printed.err).toBe('The settings print.\nA tool prints: delete {"id":7,"title":"Milk"}\n')
    for (const secret of [goodKey, "?key="]) expect(printed.out).not.toContain(secret)
  })

  it.each([
    ["is killed", "SIGKILL", null],
    ["loses its editor", "stdin", 0],
  ] as const)("that %s while it asks is followed by one that asks again and continues", async (_how, end, code) => {
    const [home, notes] = [openHome(), await startGuardedServer()]
    const first = await start(home, notes)
    const session = await first.editor.open()
    first.editor.prompt(session, "trip").catch(() => {})
    await first.editor.nextElicitation()
    if (end === "stdin") first.child.stdin.end()
    else first.child.kill(end)
    expect(await first.ended).toBe(code)
    const { editor, child, ended } = await start(home, notes)
    await editor.agent.request("session/load", { sessionId: session, cwd: home, mcpServers: [] })
    ;(await editor.nextElicitation()).reply({ action: "accept", content: { where: "Oslo" } })
    await editor.until(() => editor.said().includes("3 days in Oslo"))
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
  })
})
