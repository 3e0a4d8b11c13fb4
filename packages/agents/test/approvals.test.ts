// Approvals of tool calls: each approval applies to one exact call, a No reaches the model with its reason, and a
// policy may let the person edit the arguments.

import type { Ask } from "@holdpoint/calls"
import {
  type AgentsServer,
  answer,
  question,
  readStream,
  startAgents,
  textOf,
  userMessage,
} from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import { answerLabelsFor, approvalOf } from "../src/approval.ts"
import type { AgentsConfig, ToolPolicy } from "../src/definition.ts"
import { type ScriptedStep, type ScriptedTurn, scriptedModel } from "../src/scripted-model.ts"
import { readAgents } from "../src/section.ts"

interface Notes {
  readonly config: AgentsConfig
  readonly done: string[]
  /** The prompts of the model, one per step. */
  readonly prompts: string[]
}

/** An agent whose deletions need approval. `script` controls its model. */
function notesAgent(script: (conversation: ScriptedTurn) => ScriptedStep, policy: ToolPolicy = "ask"): Notes {
  const [done, prompts]: [string[], string[]] = [[], []]
  const model = scriptedModel((conversation) => {
    prompts.push(JSON.stringify(conversation.prompt))
    return script(conversation)
  })
  const properties = { id: { type: "number" }, reason: { type: "string" } }
  const execute = ({ id, reason = "" }: { id: number; reason?: string }) => {
    done.push(`deleted ${id}${reason}`)
    return `note ${id} is gone`
  }
  const delete_note = {
    ...{ description: "Deletes a note", execute },
    inputSchema: { type: "object", properties, required: ["id"], additionalProperties: false },
  }
  return {
    ...{ done, prompts },
    config: { agents: { helper: { model, tools: { delete_note }, policies: { delete_note: policy } } } },
  }
}

const deletion = (id: number, more: object = {}) => ({ tool: "delete_note", input: { id }, ...more })
const yes = { action: "accept", content: { confirmed: "yes" } }
const editable = { policy: "ask", editable: true } as const

/** Deletes note 7, and then replies with the result. */
const deletesOne = ({ step, results }: ScriptedTurn): ScriptedStep =>
  step === 0 ? { calls: [deletion(7)] } : { text: results.map(({ output }) => String(output)).join("; ") }

/** Approves with these arguments instead. */
const edited = (text: string) => ({ action: "accept", content: { confirmed: "yes", arguments: text } })

const trailOf = async ({ storage }: Pick<AgentsServer, "storage">, id: string) =>
  (await storage.trail.read({ id, limit: 100 })).filter(({ kind }) => kind === "edited").map(({ detail }) => detail)

describe("the answers to an approval", () => {
  it.each([
    ["delete_note", "Delete note", "Do not delete"],
    ["nc_notes_delete_note", "Delete note", "Do not delete"],
    ["sendMail", "Send mail", "Do not send"],
    ["turn_off_heating", "Turn off heating", "Do not turn off"],
    ["web_search", "Use web search", "Do not use it"],
    ["weather", "Use weather", "Do not use it"],
    ["删除", "Use 删除", "Do not use it"],
  ])("for the tool %s are called “%s” and “%s”", (tool, yes, no) => {
    expect(answerLabelsFor(tool)).toEqual({ yes, no })
  })
})

describe("an approval", () => {
  it("is for one exact call: not for another with the same id, the same tool, or the same arguments", async () => {
    const { config, done } = notesAgent(({ step }) => {
      if (step === 0) return { calls: [deletion(7, { id: "same" })] }
      if (step === 1) return { calls: [deletion(8, { id: "same" })] }
      return step === 2 ? { calls: [deletion(7, { id: "same" })] } : { text: "Done." }
    })
    const server = await startAgents(config)
    const stream = await server.say("c1", "delete")
    const asked: string[] = []
    for (const id of [7, 8, 7]) {
      const { elicitationId, message } = await question(stream)
      expect(message).toContain(`"id": ${id}`)
      expect(asked).not.toContain(elicitationId)
      asked.push(elicitationId)
      const before = done.length
      // Repeating earlier approvals allows nothing new.
      for (const old of asked.slice(0, -1)) await answer(server, "c1", { elicitationId: old, ...yes })
      expect(done).toHaveLength(before)
      await answer(server, "c1", { elicitationId, ...yes })
      await stream.until("data-elicitation")
    }
    await stream.rest()
    expect(done).toEqual(["deleted 7", "deleted 8", "deleted 7"])
  })

  it("has a unique key, even when another call shows the same message", async () => {
    const asked: { readonly key: string; readonly message: string }[] = []
    const confirm = async (key: string, message: string): Promise<boolean> => asked.push({ key, message }) > 0
    const long = "a".repeat(5_000)
    const calls = [`${long}x${long}`, `${long}y${long}`].flatMap((text) => [
      { id: "1", tool: "write", input: { text } },
      { id: "2", tool: "write", input: { text } },
    ])
    const tool = { policy: "ask", inputSchema: {} } as const
    for (const call of calls)
      expect(await approvalOf({ ask: { confirm } as unknown as Ask, call, tool, asker: "helper" })).toEqual({
        allowed: call,
      })
    expect(new Set(asked.map(({ message }) => message))).toHaveLength(1)
    expect(new Set(asked.map(({ key }) => key))).toHaveLength(4)
  })

  it("of one of two calls in a step leaves the other one open", async () => {
    const { config, done } = notesAgent(({ step }) =>
      step === 0 ? { calls: [deletion(7), deletion(8)] } : { text: "Done." },
    )
    const server = await startAgents(config)
    const stream = await server.say("c1", "delete")
    const [first, second] = [await question(stream), await question(stream)]
    await answer(server, "c1", { elicitationId: second.elicitationId, ...yes })
    await expect.poll(() => done).toEqual(["deleted 8"])
    await answer(server, "c1", { elicitationId: first.elicitationId, action: "decline" })
    await stream.rest()
    expect(done).toEqual(["deleted 8"])
  })

  it("that is refused with a reason tells the model the reason, and not to call again", async () => {
    const { config, prompts } = notesAgent(deletesOne)
    const server = await startAgents(config)
    const stream = await server.say("c1", "delete")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "decline", reason: "I still need it" })
    await stream.rest()
    expect(prompts[1]).toContain("did not allow this call. They said: I still need it")
    expect(prompts[1]).toContain("Do not call it again for the same thing")
  })

  it("that is dismissed tells the model only that the person dismissed it", async () => {
    const { config, prompts } = notesAgent(deletesOne)
    const server = await startAgents(config)
    const stream = await server.say("c1", "delete")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "cancel" })
    await stream.rest()
    expect(prompts[1]).toContain("dismissed the question")
    expect(prompts[1]).not.toContain("They said")
  })

  it("that was refused is not requested again in the same reply, but is in the next one", async () => {
    const { config, done, prompts } = notesAgent(({ step }) =>
      step < 3 ? { calls: [deletion(7, { id: `try-${step}` })] } : { text: "I give up." },
    )
    const server = await startAgents(config)
    const stream = await server.say("c1", "delete")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "decline" })
    const chunks = await stream.rest()
    expect(textOf(chunks)).toBe("I give up.")
    expect(new Set(chunks.flatMap(({ type, id }) => (type === "data-elicitation" ? [id] : [])))).toHaveLength(1)
    expect(chunks.filter(({ type }) => type === "tool-output-denied")).toHaveLength(3)
    expect(prompts[3]).toContain("They were not asked again.")
    const next = await server.say("c1", "delete")
    expect((await question(next)).elicitationId).not.toBe(elicitationId)
    await next.leave()
    expect(done).toEqual([])
  })
})

describe("an approval with edited arguments", () => {
  const asks = async (server: AgentsServer) => {
    const stream = await server.say("c1", "delete")
    return { stream, asked: await question(stream) }
  }

  it("offers the arguments for editing, calls with the edited ones, and tells the model and the trail", async () => {
    const { config, done } = notesAgent(deletesOne, editable)
    const server = await startAgents(config)
    const { stream, asked } = await asks(server)
    expect(asked.requestedSchema?.properties.arguments).toEqual({
      type: "string",
      title: "Arguments",
      description: "JSON. Change them if the call should differ.",
      default: '{\n  "id": 7\n}',
    })
    const { elicitationId } = asked
    await answer(server, "c1", { elicitationId, ...edited('{"id": 8, "reason": " because"}') })
    const text = textOf(await stream.rest())
    expect(done).toEqual(["deleted 8 because"])
    expect(text).toContain('The user edited the arguments. The call was made with {"id":8,"reason":" because"}.')
    expect(text).toContain("note 8 is gone")
    const [entry, ...others] = await trailOf(server, elicitationId)
    expect(others).toEqual([])
    expect(entry).toMatchObject({ code: "arguments_edited", message: "id, reason", by: { subject: "alice" } })
    expect(JSON.stringify(entry)).not.toContain("because")
  })

  it("that changes nothing is a plain approval, and so is an approval from a stock client", async () => {
    const { config, done } = notesAgent(deletesOne, editable)
    const server = await startAgents(config)
    const { stream, asked } = await asks(server)
    await answer(server, "c1", { elicitationId: asked.elicitationId, ...edited('{ "id": 7 }') })
    expect(textOf(await stream.rest())).toBe("note 7 is gone")
    expect(await trailOf(server, asked.elicitationId)).toEqual([])
    const first = await (await server.say("c2", "delete", {})).rest()
    const { approvalId: id, toolCallId } = first.find(({ type }) => type === "tool-approval-request") ?? {}
    const part = { type: "dynamic-tool", toolName: "delete_note", toolCallId, state: "approval-responded" }
    // The arguments in a client's approval are ignored.
    const approved = { ...part, input: { id: 9 }, approval: { id, approved: true } }
    const messages = [userMessage("delete"), { id: "a", role: "assistant", parts: [approved] }]
    await readStream(await server.post("/run/api/chat", { id: "c2", messages }, {})).rest()
    expect(done).toEqual(["deleted 7", "deleted 7"])
  })

  it.each([
    ["are not JSON", "{id: 8}", "they are not JSON"],
    ["have the wrong type", '{"id": "eight"}', "must be number"],
    ["include one that the tool does not accept", '{"id": 8, "all": true}', "must NOT have additional properties"],
  ])("that %s asks again, and calls nothing before they fit", async (_what, wrong, problem) => {
    const { config, done } = notesAgent(deletesOne, editable)
    const server = await startAgents(config)
    const { stream, asked } = await asks(server)
    await answer(server, "c1", { elicitationId: asked.elicitationId, ...edited(wrong) })
    await stream.until("data-elicitation")
    const again = await question(stream)
    expect(again.message).toContain(problem)
    expect(again.requestedSchema?.properties.arguments).toMatchObject({ default: wrong })
    expect(done).toEqual([])
    await answer(server, "c1", { elicitationId: again.elicitationId, ...edited('{"id": 8}') })
    await stream.rest()
    expect(done).toEqual(["deleted 8"])
  })

  it("is given up after three edits that do not fit", async () => {
    const { config, done, prompts } = notesAgent(deletesOne, editable)
    const server = await startAgents(config)
    const stream = await server.say("c1", "delete")
    for (let attempt = 0; attempt < 3; attempt++) {
      const { elicitationId } = await question(stream)
      await answer(server, "c1", { elicitationId, ...edited("{}") })
      await stream.until("data-elicitation")
    }
    await stream.rest()
    expect(prompts[1]).toContain("they were still not valid")
    expect(done).toEqual([])
  })

  it("is configured as a policy, and other objects are refused", () => {
    const withPolicy = (policy: unknown) => () =>
      readAgents(notesAgent(deletesOne, policy as ToolPolicy).config as never)
    expect(withPolicy(editable)).not.toThrow()
    for (const wrong of [{ policy: "always", editable: true }, { policy: "ask" }, { ...editable, more: 1 }, "maybe"])
      expect(withPolicy(wrong)).toThrow("The agents cannot be used.")
  })
})
