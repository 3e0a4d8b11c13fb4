// The command as clients start it: a process on stdio.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { compiled } from "@holdpoint/testkit/compiled"
import { freePort } from "@holdpoint/testkit/free-port"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { describe, expect, it, onTestFinished } from "vitest"
import { createVisitor, sendTo, startCloud, titlesIn, visiting } from "./stage.ts"

const command = fileURLToPath(new URL("../../bin/holdpoint.js", import.meta.url))
const listNotes = { name: "nc_notes_list_notes", arguments: {} }

async function open(env: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-process-"))
  const client = new Client({ name: "tester", version: "1.0.0" }, visiting)
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [command, "nextcloud"], cwd: home, stderr: "pipe" },
    env: { ...compiled, ...env, XDG_DATA_HOME: join(home, "data") },
  })
  onTestFinished(async () => {
    await client.close()
    rmSync(home, { recursive: true, force: true })
  })
  await client.connect(transport)
  return { client, home }
}

/** Without the official client, which kills a process that does not end by itself. */
function start(cloud: { readonly url: string }) {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-process-"))
  const child = spawn(process.execPath, [command, "nextcloud", "--host", cloud.url], {
    cwd: home,
    env: { ...compiled, XDG_DATA_HOME: join(home, "data") },
    stdio: ["pipe", "pipe", "inherit"],
  })
  onTestFinished(() => {
    child.kill("SIGKILL")
    rmSync(home, { recursive: true, force: true })
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    async ask(id: number, method: string, params: object = {}): Promise<string> {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
      return String((await lines.next()).value)
    },
  }
}

const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "tester", version: "1" } }

describe("the process", { timeout: 20_000 }, () => {
  it.each(["its client disconnects", "it gets a signal"])(
    "ends when %s, though only the list was requested",
    async (why) => {
      const { child, ask } = start(await startCloud())
      expect(await ask(1, "initialize", hello)).toContain("serverInfo")
      expect(await ask(2, "tools/list")).toContain("nc_notes_list_notes")
      const ended = once(child, "exit")
      if (why === "its client disconnects") child.stdin.end()
      else child.kill("SIGTERM")
      expect(await ended).toEqual([0, null])
    },
  )

  it("works as the one account that its environment names, and stores nothing", async () => {
    const cloud = await startCloud()
    const env = { NEXTCLOUD_HOST: cloud.url, NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "alice-Pass-2026" }
    const { client, home } = await open(env)
    expect(titlesIn(await client.callTool(listNotes))).not.toEqual([])
    expect(readdirSync(home)).toEqual([])
  })

  it("connects by the core's OAuth 2: people return to the registered port", async () => {
    const cloud = await startCloud()
    const port = await freePort()
    const { clientId, clientSecret } = cloud.registerClient(
      "tools",
      `http://127.0.0.1:${port}/oauth/callback/nextcloud`,
    )
    const { client, home } = await open({
      ...{
        NEXTCLOUD_HOST: cloud.url,
        NEXTCLOUD_OAUTH_CLIENT_ID: clientId,
        NEXTCLOUD_OAUTH_CLIENT_SECRET: clientSecret,
      },
      HOLDPOINT_PORT: String(port),
    })
    const visits = sendTo(client, createVisitor(cloud, "alice").connect)
    expect(titlesIn(await client.callTool(listNotes))).not.toEqual([])
    expect(await visits[0]).toContain("Connected as")
    expect(readdirSync(join(home, "data", "holdpoint"))).toContain("nextcloud.db")
  })
})
