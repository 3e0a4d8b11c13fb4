// `holdpoint ask` inside a tool: it joins the call that it runs in, and prints and ends as it does everywhere.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp } from "@holdpoint/mcp"
import { createCatalogue, createShellServer } from "@holdpoint/shell"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { describe, expect, it, onTestFinished, vi } from "vitest"

/** A call's folder, in which the test is the server. */
function openCall() {
  const folder = makeScratchFolder("call")
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { MCP_ELICIT_FORM: "1", MCP_ELICIT_REQUEST_FILE: join(folder, "elicit.k.request") }
  const find = (part: string) => readdirSync(folder).find((name) => name.endsWith(part))
  return {
    env,
    folder,
    /** The request that the command has written, and a way to answer it. */
    async asked() {
      const name = await vi.waitFor(() => find(".request") ?? Promise.reject(new Error("no request yet")))
      const path = join(folder, name)
      const request = JSON.parse(readFileSync(path, "utf8")) as object
      const answer = (content: object): void => {
        writeFileSync(join(folder, "draft"), JSON.stringify({ content: null, ...content }))
        renameSync(join(folder, "draft"), path.replace(/request$/, "response"))
      }
      return { request, answer }
    },
    isTakenBack: () => find(".cancel") !== undefined,
  }
}

describe("holdpoint ask inside a tool", () => {
  it.each([
    [[], { action: "accept", content: {} }, { code: 0, out: "{}\n" }],
    [["--text", "name"], { action: "accept", content: { name: "Ada" } }, { code: 0, out: '{"name":"Ada"}\n' }],
    [["--yes", "Go"], { action: "accept", content: { confirmed: true } }, { code: 0, out: '{"confirmed":"yes"}\n' }],
    [["--yes", "Go"], { action: "accept", content: { confirmed: false } }, { code: 1, out: '{"confirmed":"no"}\n' }],
    [["--json"], { action: "decline" }, { code: 1, out: '{"status":"declined"}\n' }],
    [[], { action: "cancel" }, { code: 1, out: "" }],
    [
      ["--json"],
      { action: "error", reason: "timed_out" },
      { code: 1, out: '{"status":"expired","reason":{"code":"timed_out"}}\n' },
    ],
    [
      ["--json"],
      { action: "error", reason: "too_many", message: "Too many." },
      { code: 1, out: '{"status":"failed","reason":{"code":"too_many","message":"Too many."}}\n' },
    ],
  ])("with %j turns the answer %j into %j", async (flags, answer, ends) => {
    const call = openCall()
    const world = createWorld()
    const running = world.start(["ask", "Deploy?", ...flags], { env: call.env })
    const asked = await call.asked()
    asked.answer(answer)
    expect(await running.done).toMatchObject(ends)
    expect(readdirSync(world.cwd)).toEqual([])
  })

  it("writes what the flags say into the request", async () => {
    const call = openCall()
    const flags = ["--choice", "env=staging,production", "--integer", "percent", "--optional", "percent"]
    const running = createWorld().start(["ask", "Where?", ...flags, "--timeout", "2m"], { env: call.env })
    const asked = await call.asked()
    expect(asked.request).toMatchObject({
      ...{ message: "Where?", mode: "form", timeout: 120 },
      schema: {
        properties: { env: { enum: ["staging", "production"] }, percent: { type: "integer" } },
        required: ["env"],
      },
    })
    asked.answer({ action: "decline" })
    await running.done
    const visiting = createWorld().start(["ask", "Pay?", "--url", "https://pay.example/"], { env: openCallAt(call) })
    const visit = await call.asked()
    expect(visit.request).toEqual({ message: "Pay?", mode: "url", url: "https://pay.example/", wait: true })
    visit.answer({ action: "accept", completed: true })
    expect(await visiting.done).toMatchObject({ code: 0, out: "{}\n" })
  })

  it.each([
    [["--to", "bob"], "--to cannot be used inside a tool"],
    [["--database", "x.db"], "--database cannot be used inside a tool"],
    [["--no-wait"], "--no-wait cannot be used inside a tool"],
    [["--url", "https://pay.example/{id}"], "The id of a question is not known inside a tool."],
    [["--url", "https://pay.example/", "--text", "a"], "A question has fields or an address, not both."],
    [["--timeout", "soon"], "“soon” is not a length of time."],
  ])("refuses %j, and asks nothing", async (flags, words) => {
    const call = openCall()
    const { code, err } = await createWorld().run(["ask", "Deploy?", ...flags], { env: call.env })
    expect(code).toBe(2)
    expect(err).toContain(words)
    expect(readdirSync(call.folder)).toEqual([])
  })

  it("ends as unsupported when the call cannot ask", async () => {
    const { code, err } = await createWorld().run(["ask", "Deploy?"], { env: { MCP_ELICIT_FORM: "0" } })
    expect(code).toBe(1)
    expect(err).toContain("No answer: unsupported")
  })

  it("takes its question back when it is stopped", async () => {
    const call = openCall()
    const running = createWorld().start(["ask", "Deploy?"], { env: call.env })
    const asked = await call.asked()
    running.stop()
    await vi.waitFor(() => expect(call.isTakenBack()).toBe(true))
    asked.answer({ action: "cancel", reason: "withdrawn" })
    expect(await running.done).toMatchObject({ code: 1, out: "" })
  })
})

const openCallAt = ({ env, folder }: ReturnType<typeof openCall>) => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  return env
}

it("asks the person at the client of the tool's call, from a script", async () => {
  const folder = makeScratchFolder("tools")
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tool = join(folder, "deploy", "tool.sh")
  mkdirSync(join(folder, "deploy"), { mode: 0o700 })
  const command = `"${process.execPath}" --no-warnings "${join(import.meta.dirname, "../../../tools/testkit/src/holdpoint/command-process.ts")}"`
  writeFileSync(tool, `#!/bin/sh\n${command} ask "Deploy?" --yes Deploy --no "Not now" || exit 3\necho deployed\n`)
  chmodSync(tool, 0o700)
  chmodSync(folder, 0o700)
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const catalogue = createCatalogue(folder)
  const report = (doing: string, error: unknown): never => {
    throw new Error(doing, { cause: error })
  }
  const shell = createShellServer({
    ...{
      name: "scripts",
      version: "0",
      catalogue,
      hasPages: false,
      hasLocalClients: false,
      report,
      env: process.env,
      passEnvironment: [],
    },
  })
  const local = { tenant: "local", issuer: "local", subject: "ana" }
  const mcp = createMcp({
    ...{ hub, storage, keys: withNewKey(), name: "Scripts", addresses: "none", callers: { local }, strict: false },
    ...{ server: shell.server, bus: shell.bus, report },
  })
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } })
  const messages: string[] = []
  client.setRequestHandler("elicitation/create", ({ params }) => {
    messages.push(params.message)
    return { action: "accept", content: { confirmed: "yes" } }
  })
  const [here, there] = InMemoryTransport.createLinkedPair()
  const served = mcp.stdio({ transport: there })
  await client.connect(here)
  const { content } = await client.callTool({ name: "deploy", arguments: {} })
  expect(content).toEqual([{ type: "text", text: '{"confirmed":"yes"}\ndeployed\n' }])
  expect(messages).toEqual(["Deploy?"])
  expect(existsSync(join(folder, "deploy", "holdpoint.db"))).toBe(false)
  await client.close()
  await served.close()
  catalogue.close()
  await shell.close()
  await mcp.close()
  await hub.close()
  await storage.close()
})
