// An approval shows what it approves: every argument with its name, and all of it before a Yes counts.

import { answering, connectA2a, onlyQuestion, stateName } from "@holdpoint/testkit/a2a/agents/a2a-client"
import { answer, question, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { openCallersWorld } from "@holdpoint/testkit/agents/callers-world"
import { startAcp } from "@holdpoint/testkit/holdpoint/acp/editor"
import { describe, expect, it } from "vitest"
import type { AgentsConfig, ToolPolicy } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"
import { argumentsJson, showArguments } from "../src/shown-arguments.ts"

/** An agent that calls the tool `run` once with this input, and writes what it ran to `done`. */
function runsOnce(input: object, done: unknown[], policy: ToolPolicy = "ask"): AgentsConfig {
  const properties = { reason: { type: "string" }, command: { type: "string" } }
  const run = {
    description: "Runs a command",
    inputSchema: { type: "object", properties },
    execute(ran: unknown) {
      done.push(ran)
      return "ran"
    },
  }
  const model = scriptedModel(({ step }) => (step === 0 ? { calls: [{ tool: "run", input }] } : { text: "Done." }))
  return { agents: { helper: { model, tools: { run }, policies: { run: policy } } } }
}

const yes = { action: "accept", content: { confirmed: "yes" } } as const
const long = { reason: `${"a".repeat(5_000)} because`, command: "rm -rf /" }

describe("an approval of a call with long arguments", () => {
  it("shows the name of every argument, and the beginning and the end of its value", async () => {
    const server = await startAgents(runsOnce(long, []))
    const { message } = await question(await server.say("c1", "run"))
    expect(message).toContain('"command": "rm -rf /"')
    expect(message).toMatch(/"reason": "aaaa.* characters left out.*because"/)
  })

  it("is a link to its page in the stream, without the AI SDK's own request, and a Yes there runs nothing", async () => {
    const done: unknown[] = []
    const server = await startAgents(runsOnce(long, done))
    const stream = await server.say("c1", "run")
    const { elicitationId, mode, ...event } = await question(stream)
    expect({ mode, url: "url" in event && event.url }).toEqual({
      mode: "url",
      url: `http://127.0.0.1:4650/inbox/${elicitationId}`,
    })
    const refused = await answer(server, "c1", { elicitationId, ...yes })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ code: "detail_unseen", detail: expect.stringContaining("/inbox/") })
    const opened = await answer(server, "c1", { elicitationId, action: "accept" })
    expect(await opened.json()).toMatchObject({ status: "pending", changed: false })
    await answer(server, "c1", { elicitationId, action: "decline" })
    await stream.rest()
    expect(stream.seen.map(({ type }) => type)).not.toContain("tool-approval-request")
    expect(done).toEqual([])
  })

  it("is in the inbox without a Yes, and is answered on its page, which shows all of it", async () => {
    const done: unknown[] = []
    const world = await openCallersWorld(runsOnce(long, done))
    const browser = await world.signIn("alice")
    const { publicUrl } = world.server
    const chat = await world.say("c1", "run", await world.session("alice"))
    const listing = { text: expect.stringContaining("Read all of it, and answer") }
    await expect.poll(() => browser.open(`${publicUrl}/inbox`)).toMatchObject(listing)
    const listed = await browser.open(`${publicUrl}/inbox`)
    expect(listed.text).not.toContain('value="yes"')
    const href = /href="(\/inbox\/[^"/]+)"/.exec(listed.text)?.[1] ?? ""
    const page = await browser.open(`${publicUrl}${href}`)
    expect(page.text).toContain("a".repeat(5_000))
    expect(page.text).toContain("rm -rf /")
    // Without the header, whose form signs out.
    await browser.submit({ ...page, text: page.text.slice(page.text.indexOf("<article")) }, { do: "yes" })
    await expect.poll(() => done).toEqual([long])
    expect(await chat.text()).toContain("Done.")
    await world.close()
  })

  it("may be edited on its page", async () => {
    const done: unknown[] = []
    const server = await startAgents(runsOnce(long, done, { policy: "ask", editable: true }))
    if (!("principal" in server.identity)) throw new Error("not local")
    const stream = await server.say("c1", "run")
    const { elicitationId } = await question(stream)
    const by = server.identity.principal
    const content = { confirmed: "yes", arguments: '{ "reason": "short", "command": "ls" }' }
    await server.hub.answer(elicitationId, { by, action: "accept", content, hasSeenDetail: true })
    expect(textOf(await stream.rest())).toContain("Done.")
    expect(done).toEqual([{ reason: "short", command: "ls" }])
  })

  it("is a link in the chat of an editor, which can show any form", async () => {
    const server = await startAcp(runsOnce(long, []))
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "run")
    await editor.until(() => editor.said().includes("Answer at <http://127.0.0.1:4650/inbox/"))
    expect(editor.asked).toEqual([])
    const [asked] = await server.openQuestions()
    await server.hub.cancel(asked?.id ?? "")
    await replied
  })

  it("is a link to an agent that calls over A2A, and its message approves nothing", async () => {
    const done: unknown[] = []
    const { send, get } = await connectA2a(await startAgents(runsOnce(long, done)))
    const task = await send("run")
    expect(stateName(task)).toBe("AUTH_REQUIRED")
    expect(onlyQuestion(task)).toMatchObject({ mode: "url", url: expect.stringContaining("/inbox/") })
    for (const text of ["Yes", "yes", "Run"]) await send({ text, taskId: task.id })
    const { elicitationId } = onlyQuestion(task)
    await send(answering(task, elicitationId, yes)).catch(() => {})
    expect(stateName(await get(task.id))).toBe("AUTH_REQUIRED")
    expect(done).toEqual([])
  })
})

describe("arguments that are too long for a person to check", () => {
  it("are not asked about: the model reads the limit, and the call is not made", async () => {
    const done: unknown[] = []
    const server = await startAgents(runsOnce({ command: "b".repeat(100_000) }, done))
    const stream = await server.say("c1", "run")
    await stream.rest()
    expect(stream.seen.map(({ type }) => type)).toContain("tool-output-denied")
    expect(stream.seen.map(({ type }) => type)).not.toContain("data-elicitation")
    expect(done).toEqual([])
  })
})

describe("characters that cannot be seen", () => {
  const hidden = {
    command: "rm\u0007 \u202ecba\u202c a\u200bb c\u0085d \u{e0041}",
    "na\u200bme": "family 👩‍👩‍👧 ❤️ نامه‌ای",
  }

  it("are shown as escapes in the approval, and the reply continues", async () => {
    const done: unknown[] = []
    const server = await startAgents(runsOnce(hidden, done))
    const stream = await server.say("c1", "run")
    const { message, elicitationId } = await question(stream)
    expect(message).toContain("rm\\u0007 \\u202ecba\\u202c a\\u200bb c\\u0085d \\udb40\\udc41")
    expect(message).toContain("na\\u200bme")
    expect(message).toContain("👩‍👩‍👧 ❤️")
    await answer(server, "c1", { elicitationId, ...yes })
    expect(textOf(await stream.rest())).toContain("Done.")
    expect(done).toEqual([hidden])
  })

  it("are escaped without changing the arguments", () => {
    expect(JSON.parse(argumentsJson(hidden))).toEqual(hidden)
  })
})

describe("the arguments in a message", () => {
  const names = (count: number): object =>
    Object.fromEntries(
      Array.from({ length: count }, (_none, at) => [`name${at}`, `first${at} ${"x".repeat(2_600)} last${at}`]),
    )

  it.each([2, 3, 12, 20])("have the name, the beginning and the end of each of %i long values", (count) => {
    const { text, isWhole } = showArguments(names(count), 2_500)
    expect(isWhole).toBe(false)
    expect(text.length).toBeLessThanOrEqual(2_500)
    for (let at = 0; at < count; at++)
      expect(text).toMatch(new RegExp(`"name${at}": "first${at} x+….* left out.*…x+ last${at}"`))
  })

  it("are counted when there are too many to name", () => {
    expect(showArguments(names(500), 2_500)).toEqual({
      text: expect.stringMatching(/^\(500 arguments/),
      isWhole: false,
    })
  })
})
