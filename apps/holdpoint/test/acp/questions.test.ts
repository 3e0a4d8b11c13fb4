// How an editor shows the questions of a reply: as a form, a link, a request for permission, or text in the chat.

import { alice, choose, startAcp } from "@holdpoint/testkit/holdpoint/acp/editor"
import { describe, expect, it } from "vitest"
import { deskAgents } from "./desk-agents.ts"

const isCall = (status: string) => (update: { sessionUpdate: string; status?: unknown }) =>
  update.sessionUpdate === "tool_call_update" && update.status === status

describe("the approval of a tool call in an editor", () => {
  it("is a request for permission that names the two acts and shows the arguments", async () => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const editor = await server.editor()
    const session = await editor.open()
    const replied = editor.prompt(session, "delete")
    const { params, reply } = await editor.nextPermission()
    expect(params).toMatchObject({
      sessionId: session,
      toolCall: { toolCallId: "1.call-0-0", title: "Delete note", rawInput: { id: 7, title: "Milk" } },
      options: [
        { optionId: "allow", name: "Delete note", kind: "allow_once" },
        { optionId: "reject", name: "Do not delete", kind: "reject_once" },
      ],
    })
    expect(JSON.stringify(params.toolCall.content)).toContain("Milk")
    expect(done).toEqual([])
    reply(choose("allow"))
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(done).toEqual(['delete {"id":7,"title":"Milk"}'])
    await editor.until(isCall("completed"))
  })

  it.each([
    ["rejected", choose("reject")],
    ["dismissed", { outcome: { outcome: "cancelled" as const } }],
  ])("that is %s prevents the call, which the editor shows as failed", async (_how, answer) => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "delete")
    ;(await editor.nextPermission()).reply(answer)
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(done).toEqual([])
    expect(await editor.until(isCall("failed"))).toMatchObject({ toolCallId: "1.call-0-0" })
    expect(await server.openQuestions()).toEqual([])
  })

  it("of a sub-agent appears as a tool call of its own, which ends as completed", async () => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "down")
    const { params, reply } = await editor.nextPermission()
    const [question] = await server.openQuestions()
    expect(params.toolCall).toMatchObject({ toolCallId: question?.id, title: "delete_note" })
    expect(JSON.stringify(params.toolCall.content)).toMatch(/Cleaner wants to run.*Bread/)
    reply(choose("allow"))
    await replied
    expect(done).toEqual(['delete {"id":9,"title":"Bread"}'])
    const updates = editor.updates.flatMap(({ update }) =>
      "toolCallId" in update && update.toolCallId === question?.id ? [[update.sessionUpdate, update.status]] : [],
    )
    expect(updates).toEqual([
      ["tool_call", "pending"],
      ["tool_call_update", "completed"],
    ])
  })

  it("with editable arguments is a form, or a request for permission in an editor without forms", async () => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "edit")
    const { params, reply } = await editor.nextElicitation()
    expect(params).toMatchObject({
      requestedSchema: { properties: { confirmed: { oneOf: expect.any(Array) }, arguments: { type: "string" } } },
    })
    reply({ action: "accept", content: { confirmed: "yes", arguments: '{"id":7,"text":"Oats"}' } })
    await replied
    const plain = await server.editor({})
    const again = plain.prompt(await plain.open(), "edit")
    ;(await plain.nextPermission()).reply(choose("allow"))
    await again
    expect(done).toEqual(['edit {"id":7,"text":"Oats"}', 'edit {"id":7,"text":"Milk"}'])
  })

  it("is not given by an option that was not offered", async () => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const editor = await server.editor()
    void editor.prompt(await editor.open(), "delete").catch(() => {})
    ;(await editor.nextPermission()).reply(choose("allow_always"))
    await editor.until(() => editor.said().includes("Answer at <http://127.0.0.1:4650/inbox/"))
    expect(done).toEqual([])
    expect(await server.openQuestions()).toHaveLength(1)
  })
})

describe("a form in an editor", () => {
  it.each(["decline", "cancel"] as const)("that the person answers with %s ends with that outcome", async (action) => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "trip")
    const asked = await editor.nextElicitation()
    const [question] = await server.openQuestions()
    asked.reply({ action })
    expect(await replied).toEqual({ stopReason: "end_turn" })
    const status = action === "decline" ? "declined" : "cancelled"
    expect(await server.hub.get(question?.id ?? "")).toMatchObject({ status, answeredVia: "acp", answeredBy: alice })
  })

  it("is shown again with its problems, and becomes a link after three invalid answers", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "trip")
    const accept = { action: "accept" as const, content: { where: "X" } }
    ;(await editor.nextElicitation()).reply(accept)
    const second = await editor.nextElicitation()
    expect(second.params.message).toMatch(/^Where to\?\n\nThe last answer did not fit\. where: .+/)
    second.reply(accept)
    ;(await editor.nextElicitation()).reply(accept)
    await editor.until(() => editor.said().includes("/inbox/"))
    const [question] = await server.openQuestions()
    await server.hub.answer(question?.id ?? "", { by: alice, action: "accept", content: { where: "Oslo" } })
    await replied
    expect(editor.said()).toContain("3 days in Oslo")
    expect(editor.asked).toHaveLength(3)
  })

  it("that is answered in the inbox is withdrawn, the reply continues, and a late answer changes nothing", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "trip")
    const asked = await editor.nextElicitation()
    const [question] = await server.openQuestions()
    await server.hub.answer(question?.id ?? "", { by: alice, action: "accept", content: { where: "Oslo" } })
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(asked.withdrawn.aborted).toBe(true)
    asked.reply({ action: "accept", content: { where: "Rome" } })
    expect(editor.said()).toContain("3 days in Oslo")
    expect(await editor.prompt(await editor.open(), "hello")).toEqual({ stopReason: "end_turn" })
    expect(server.problems).toEqual([])
  })

  it("that the editor fails to show becomes a link in the chat, and stays open", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    void editor.prompt(await editor.open(), "trip").catch(() => {})
    ;(await editor.nextElicitation()).fail(new Error("not here"))
    await editor.until(() => editor.said().includes("/inbox/"))
    expect(await server.openQuestions()).toHaveLength(1)
  })

  it("is a link in the chat of an editor without forms, with its message as plain text and the page's code", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor({})
    const replied = editor.prompt(await editor.open(), "trip")
    await editor.until(() => editor.said().includes("/inbox/"))
    const [question] = await server.openQuestions()
    const id = question?.id ?? ""
    expect(editor.said()).toContain("```text\nWhere to?\n```")
    expect(editor.said()).toContain(
      `Answer at <http://127.0.0.1:4650/inbox/${id}>. The page shows the code ${server.addresses.codeOf(id)}.`,
    )
    await server.hub.answer(id, { by: alice, action: "accept", content: { where: "Oslo" } })
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(editor.asked).toEqual([])
  })
})

describe("a yes-or-no question that a tool asks", () => {
  it("is never a request for permission, which an editor may grant automatically", async () => {
    const server = await startAcp(deskAgents())
    const plain = await server.editor({})
    void plain.prompt(await plain.open(), "sure").catch(() => {})
    await plain.until(() => plain.said().includes("Pay 900 euros?"))
    expect(plain.asked).toEqual([])
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "sure")
    const { params, reply } = await editor.nextElicitation()
    expect(params).toMatchObject({ requestedSchema: { properties: { confirmed: { oneOf: expect.any(Array) } } } })
    reply({ action: "accept", content: { confirmed: "no" } })
    await replied
    expect(editor.said()).toContain("not paid")
  })
})

describe("a link in an editor", () => {
  it("is accepted in the editor, and completed when the page reports completion", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "page")
    const { params, reply } = await editor.nextElicitation()
    const [question] = await server.openQuestions()
    const id = question?.id ?? ""
    expect(params).toMatchObject({ mode: "url", elicitationId: id, url: `http://127.0.0.1:4650/visit/${id}` })
    expect(params.message).toBe(`Please look at this. The page shows the code ${server.addresses.codeOf(id)}.`)
    reply({ action: "accept" })
    for await (const { status } of server.hub.watch({ id })) if (status === "accepted") break
    expect(editor.completed).toEqual([])
    await server.hub.complete(id)
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(editor.completed).toEqual([id])
    expect(editor.said()).toContain("seen")
  })

  it("that is finished in the browser before the editor replies is reported as completed and withdrawn", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "page")
    const asked = await editor.nextElicitation()
    const [question] = await server.openQuestions()
    const id = question?.id ?? ""
    await server.hub.answer(id, { by: alice, action: "accept" })
    await server.hub.complete(id)
    await replied
    expect(editor.completed).toEqual([id])
    expect(asked.withdrawn.aborted).toBe(true)
  })

  it("that the person declines is not asked again", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const replied = editor.prompt(await editor.open(), "page")
    ;(await editor.nextElicitation()).reply({ action: "decline" })
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(await server.openQuestions()).toEqual([])
  })

  it("is text in the chat of an editor that shows only forms", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor({ form: {} })
    void editor.prompt(await editor.open(), "page").catch(() => {})
    await editor.until(() => editor.said().includes("Answer at <http://127.0.0.1:4650/visit/"))
    expect(editor.asked).toEqual([])
  })
})
