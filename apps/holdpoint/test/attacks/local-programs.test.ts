// Local mode, and the programs that reach its port: another user of the machine gets nothing from any surface, and a
// program of the person begins things and approves nothing.

import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { openHome } from "@holdpoint/testkit/agents/agents-process"
import { question, readStream, showsQuestions, userMessage } from "@holdpoint/testkit/agents/agents-server"
import { createWorld, type RunningCommand } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { startCloud } from "../nextcloud/stage.ts"
import { createShellWorld, echo } from "../shell/tools.ts"

/** The second user of the machine, if this test may act as one; else a program without the key. */
const otherUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

interface Got {
  readonly status: number
  readonly text: string
}

/** A request of curl, as another user of the machine. */
async function curl(url: string, { headers = {}, body }: CurlRequest = {}): Promise<Got> {
  const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`])
  const data = body === undefined ? [] : ["-d", JSON.stringify(body), "-H", "content-type: application/json"]
  const args = ["-s", "-m", "20", "-w", "\n%{http_code}", ...sent, ...data, url]
  const { stdout } = await promisify(execFile)("curl", args, { cwd: "/", ...otherUser })
  const at = stdout.lastIndexOf("\n")
  return { status: Number(stdout.slice(at + 1)), text: stdout.slice(0, at) }
}

interface CurlRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "curl", version: "1" } },
}
const forMcp = { accept: "application/json, text/event-stream" }

const sendMessage = {
  ...{ jsonrpc: "2.0", id: 1, method: "SendMessage" },
  params: { message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "delete it" }] } },
}

/** Every surface of `serve` that begins, reads or answers something. */
const surfaces: readonly (readonly [path: string, request: CurlRequest])[] = [
  ["/run/api/chat", { body: { id: "c", messages: [userMessage("delete it")] } }],
  ["/run/api/elicitations", {}],
  ["/run/api/events", {}],
  ["/run/api/conversations/c", {}],
  ["/run/v1/chat/completions", { body: { model: "helper", messages: [{ role: "user", content: "delete it" }] } }],
  ["/run/v1/mcp", { body: initialize, headers: forMcp }],
  ["/a2a/helper", { body: sendMessage, headers: { "a2a-version": "1.0" } }],
  ["/a2a/helper/message:send", { body: sendMessage.params, headers: { "a2a-version": "1.0" } }],
  ["/run/api/elicitation-responses", { body: { conversationId: "c", elicitationId: "x", action: "accept" } }],
]

const approval = (elicitationId: string) => ({ elicitationId, action: "accept", content: { confirmed: "yes" } })

const untilUp = async (running: RunningCommand): Promise<string> => {
  onTestFinished(async () => {
    running.stop()
    await running.done
  })
  return (await running.prints(/ are at (http:\S+) /))[1] ?? ""
}

describe("another user of the machine", () => {
  verifies(
    "identity.local-programs",
    "gets nothing from any surface of serve --local, and reads what to do",
    async () => {
      const home = await openHome()
      const server = await home.start()
      const said = await server.say("c", "delete it")
      const { elicitationId } = await question(said)
      for (const [path, request] of surfaces) {
        const { headers } = request
        for (const more of [{}, { authorization: `Bearer hpl_${"x".repeat(43)}` }, { origin: server.address }]) {
          const got = await curl(`${server.address}${path}`, { ...request, headers: { ...headers, ...more } })
          expect([path, got.status], got.text).toEqual([path, 401])
          expect(got.text).toContain(`the file ${server.keyFile}`)
        }
      }
      const body = { conversationId: "c", ...approval(elicitationId) }
      expect((await curl(`${server.address}/run/api/elicitation-responses`, { body })).status).toBe(401)
      expect(home.deeds().filter((deed) => deed.startsWith("deleted"))).toEqual([])
      if (process.getuid?.() !== 0) return
      await expect(promisify(execFile)("cat", [server.keyFile], { cwd: "/", ...otherUser })).rejects.toThrow(
        /ermission denied/,
      )
    },
  )

  it("runs no script of holdpoint shell --http", async () => {
    const world = createShellWorld()
    world.write("tools/echo/tool.sh", echo)
    const mcp = await untilUp(world.start([".", "--http", "0"]))
    const refused = await curl(mcp, { body: initialize, headers: forMcp })
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("holdpoint.local-key")])
    const authorization = `Bearer ${readFileSync(join(world.cwd, "data/holdpoint/holdpoint.local-key"), "utf8").trim()}`
    expect((await curl(mcp, { body: initialize, headers: { ...forMcp, authorization } })).status).toBe(200)
  })

  it("uses no account of holdpoint nextcloud --http for a single user", async () => {
    const cloud = await startCloud()
    const world = createWorld()
    const env = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "alice-Pass-2026" }
    const argv = ["nextcloud", "--host", cloud.url, "--http", "0", "--database", "nextcloud.db"]
    const mcp = await untilUp(world.start(argv, { env }))
    const refused = await curl(mcp, { body: initialize, headers: forMcp })
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("holdpoint.local-key")])
  })
})

describe("a program of the person, which has the key", () => {
  verifies("identity.local-programs", "begins a reply, and cannot approve by the run API or over A2A", async () => {
    const home = await openHome()
    const server = await home.start()
    const overA2a = { ...server.program, "a2a-version": "1.0" }
    const message = { id: "c", messages: [userMessage("delete it")] }
    const said = readStream(await server.post("/run/api/chat", message, { ...showsQuestions, ...server.program }))
    const { elicitationId } = await question(said)
    const answers = [
      ["/run/api/elicitation-responses", { conversationId: "c", ...approval(elicitationId) }],
      [
        "/run/api/chat",
        { id: "c", message: withPart({ type: "data-elicitation-response", data: approval(elicitationId) }) },
      ],
      [
        "/run/api/chat",
        {
          id: "c",
          message: withPart({
            type: "tool-delete",
            state: "approval-responded",
            approval: { id: elicitationId, approved: true },
          }),
        },
      ],
    ] as const
    for (const [path, body] of answers) {
      const refused = await server.post(path, body, server.program)
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(`/inbox/${elicitationId}`)])
    }
    const begun = await (await server.post("/a2a/helper", sendMessage, overA2a)).json()
    const { task } = (begun as { result: { task: A2aTask } }).result
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED")
    const asked = /"elicitationId":"([^"]+)"/.exec(JSON.stringify(task))?.[1] ?? ""
    for (const part of [{ data: { type: "elicitation-response", ...approval(asked) } }, { text: "Delete" }]) {
      const message = {
        messageId: `m-${JSON.stringify(part).length}`,
        taskId: task.id,
        role: "ROLE_USER",
        parts: [part],
      }
      const body = { ...sendMessage, params: { message } }
      const text = await (await server.post("/a2a/helper", body, overA2a)).text()
      expect(text).toContain(`/inbox/${asked}`)
      expect(text).toContain("TASK_STATE_INPUT_REQUIRED")
    }
    expect(home.deeds().filter((deed) => deed.startsWith("deleted"))).toEqual([])
    // A No comes from anywhere, and the person's own browser approves.
    const declined = { conversationId: "c", elicitationId, action: "decline" }
    expect((await server.post("/run/api/elicitation-responses", declined, server.program)).status).toBe(200)
    const answer = { message: withPart({ type: "data-elicitation-response", data: approval(asked) }) }
    expect((await server.post("/run/api/chat", { id: task.contextId, ...answer })).status).toBe(200)
    await expect.poll(() => home.deeds().filter((deed) => deed.startsWith("deleted"))).toHaveLength(1)
  })
})

interface A2aTask {
  readonly id: string
  readonly contextId: string
  readonly status: { readonly state: string }
}

const withPart = (part: object) => ({ id: "m2", role: "user", parts: [part] })
