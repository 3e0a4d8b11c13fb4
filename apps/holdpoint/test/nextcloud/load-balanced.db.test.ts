// Several processes for one server behind a round-robin balancer: as one account for all, and with callers' tokens. They share
// HOLDPOINT_KEYS and a database, but no memory.

import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { createServer, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { scanSqlite } from "@holdpoint/testkit/canaries/databases"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { compiled } from "@holdpoint/testkit/compiled"
import { freePort } from "@holdpoint/testkit/free-port"
import { programAt } from "@holdpoint/testkit/programs"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import type { Client, ClientOptions } from "@modelcontextprotocol/client"
import { describe, expect, it, onTestFinished } from "vitest"
import { createProgram } from "../authorization/scene.ts"
import { programHeaders } from "../program-key.ts"
import { startExchanging } from "./exchanging.ts"
import { connect, connectAs, startCloud, textIn } from "./stage.ts"

const command = fileURLToPath(new URL("../../../../tools/testkit/src/holdpoint/command-process.ts", import.meta.url))
const redirectUri = "https://writer.example/callback"
type Env = Readonly<Record<string, string>>

/** Sends each request to the next process, and counts the requests of each. */
async function startBalancer() {
  const targets: URL[] = []
  const served = [0, 0]
  let requestCount = 0
  const server = createServer((incoming, outgoing) => {
    const at = requestCount++ % targets.length
    served[at] = (served[at] ?? 0) + 1
    const { method, headers, url } = incoming
    const passed = send(new URL(url ?? "/", targets[at]), { method: method ?? "GET", headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.once("error", () => outgoing.destroy())
    outgoing.once("close", () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, targets, served }
}

/** Resolves when it is ready: the printed address is the shared one. */
async function startProcess(args: readonly string[], env: Env): Promise<URL> {
  const { PATH = "" } = process.env
  const port = await freePort()
  const child = spawn(process.execPath, [...programAt(command), "nextcloud", ...args, "--http", String(port)], {
    env: { PATH, ...compiled, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = once(child, "exit")
  onTestFinished(async () => {
    child.kill("SIGTERM")
    await ended
  })
  const output: string[] = []
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on("line", (line) => {
      output.push(line)
      if (line.includes(" are at ")) ready.resolve()
    })
  void ended.then(() => ready.reject(new Error(`It did not start:\n${output.join("\n")}`)))
  await ready.promise
  return new URL(`http://127.0.0.1:${port}`)
}

async function startTwo(cloud: { readonly url: string }, env: Env) {
  const balancer = await startBalancer()
  const folder = makeScratchFolder("several")
  onTestFinished(() => {
    scanSqlite(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  const keys = randomBytes(32).toString("base64")
  noteCanary("key", keys)
  const shared = { ...env, HOLDPOINT_KEYS: keys, HOLDPOINT_PUBLIC_URL: balancer.url }
  const args = ["--host", cloud.url, "--database", join(folder, "shared.db")]
  for (let started = 0; started < 2; started++) balancer.targets.push(await startProcess(args, shared))
  return { ...balancer, mcp: new URL(`${balancer.url}/mcp`), headers: programHeaders(folder) }
}

/** Accepts every question. */
function sayYes(client: Client): void {
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    if (params.mode === "url") return { action: "cancel" }
    const fields = Object.entries(params.requestedSchema.properties)
    const yes = fields.map(([name, field]) => [name, "enum" in field ? field.enum?.[0] : true])
    return { action: "accept", content: Object.fromEntries(yes) as Record<string, boolean | string> }
  })
}

/** Several times, so that either process handles every step. */
async function makeAndDelete(client: Client): Promise<void> {
  sayYes(client)
  for (let time = 0; time < 5; time++) {
    const created = await client.callTool({
      name: "nc_notes_create_note",
      arguments: { title: `n${time}`, content: "x" },
    })
    const note_id = (created.structuredContent as { readonly id?: number } | undefined)?.id
    const deleted = await client.callTool({ name: "nc_notes_delete_note", arguments: { note_id } })
    expect(deleted.isError, textIn(deleted)).toBeFalsy()
  }
}

const eras: readonly (readonly [string, ClientOptions])[] = [
  ["2025", { capabilities: { elicitation: { form: {} } } }],
  ["2026", { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } }],
]

describe("two processes behind one address", () => {
  it.each(eras)("serve one account for all, with questions in between, to a client of %s", async (_era, options) => {
    const cloud = await startCloud()
    const account = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "alice-Pass-2026" }
    const { mcp, served, headers } = await startTwo(cloud, account)
    await makeAndDelete(await connect(mcp, headers, options))
    expect(Math.min(...served)).toBeGreaterThan(4)
  })

  it.each(eras)(
    "serve callers by their tokens, with questions in between, to a client of %s",
    async (_era, options) => {
      const cloud = await startCloud()
      const { env, oidc } = await startExchanging(cloud, { redirectUri })
      const { mcp, served } = await startTwo(cloud, env)
      const program = createProgram(undefined, redirectUri)
      program.stored.client = { client_id: "desk", issuer: oidc.issuer }
      const desk = { ...program, clientMetadata: { ...program.clientMetadata, scope: "openid" } }
      await makeAndDelete(await connectAs(mcp, desk, options))
      expect(Math.min(...served)).toBeGreaterThan(4)
    },
  )
})
