// A question whose message is shortened: a Yes counts only from a place that showed its detail, and every other place
// leads to the page that does.

import { createAddresses, paths } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import { toStreamEvent } from "@holdpoint/hub/stream"
import { holdable } from "@holdpoint/mcp"
import { alice, asked, now, requester, urlDraft } from "@holdpoint/testkit/fixtures"
import type { ClientKind, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { keys, openTerminal } from "@holdpoint/testkit/terminal/fake-terminal"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { describe, expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { transition } from "../../../packages/hub/src/core/transition.ts"
import { toShown } from "../../../packages/slack/src/map.ts"
import { modalOf } from "../../../packages/slack/src/modal.ts"

const addresses = createAddresses("https://hub.example")
const page = (id: string): string => addresses.to(paths.question, id)
const detail = { text: "Delete 7, 8, 9 and the whole archive?", page }
const draft = {
  ...{ message: "Delete 7 … ?", detail, audience: alice, requester },
  form: confirmForm({ yes: "Delete", no: "Keep" }),
}
const shortened = asked(draft)
const accept = (confirmed: string, more: object = {}) =>
  transition(shortened, { type: "accept", by: alice, content: { confirmed }, ...more }, now + 1)

describe("a shortened question", () => {
  verifies(
    "core.detail-seen-before-yes",
    "takes a Yes only from a place that showed its detail, and a No from any",
    () => {
      expect(accept("yes")).toMatchObject({ ok: false, refusal: { code: "detail_unseen", status: "pending" } })
      expect(accept("yes", { hasSeenDetail: false })).toMatchObject({ ok: false })
      expect(accept("yes", { hasSeenDetail: true })).toMatchObject({ ok: true, next: { said: "yes" } })
      expect(accept("no")).toMatchObject({ ok: true, next: { said: "no" } })
      expect(transition(shortened, { type: "decline", by: alice }, now + 1)).toMatchObject({ ok: true })
    },
  )

  it("refuses a Yes with the address of its page", () => {
    const judged = accept("yes")
    expect(!judged.ok && judged.refusal.message).toContain(page(shortened.id))
  })

  it("is told of in streams as a link to its page", () => {
    expect(toStreamEvent(shortened)).toMatchObject({ mode: "url", url: page(shortened.id), message: "Delete 7 … ?" })
  })

  it("must be a form", () => {
    expect(() => asked({ ...urlDraft, detail })).toThrow("belongs to a form")
  })

  it("has a button that opens its page in Slack, and no other way to say Yes", () => {
    const message = JSON.stringify(toShown(shortened, addresses))
    expect(message).toContain(page(shortened.id))
    expect(message).not.toContain("holdpoint_yes")
    expect(modalOf(shortened)).toBeUndefined()
  })

  it("has no Yes in Slack when only the message is too long for Slack", () => {
    const long = { ...shortened, detail: undefined, message: "x".repeat(7_000) }
    expect(JSON.stringify(toShown(long as never, addresses))).not.toContain("holdpoint_yes")
  })

  it("is shown whole at the terminal, where it is answered", async () => {
    const { hub, ask, at } = openTerminal()
    onTestFinished(() => hub.close())
    const question = await ask(draft.form, { message: draft.message, detail })
    await at("whole archive?")
    await at("  Delete\n  Keep\n", keys.down, keys.enter)
    expect(await hub.wait(question)).toEqual({ status: "completed", content: { confirmed: "yes" } })
  })

  it.each<ClientKind>(["v2 pinned to 2026-07-28", "v1.32"])(
    "leads the MCP client %s to its page, whatever the client answers",
    async (kind) => {
      const deeds: string[] = []
      const server = (): McpServer => {
        const made = new McpServer({ name: "deleting", version: "1" })
        made.registerTool(
          "delete",
          { inputSchema: z.object({}) },
          holdable(async (_args, ask) => {
            const isSure = await ask.confirm("sure", draft.message, { yes: "Delete", no: "Keep", detail: detail.text })
            if (isSure) await ask.once("deleted", () => void deeds.push("deleted"))
            return text(isSure ? "Gone." : "Kept.")
          }),
        )
        return made
      }
      const world = await createWorld({ server })
      onTestFinished(() => world.close())
      const answer = (): Reply => ({ action: "accept", content: { confirmed: "yes" } })
      const client = await open(kind, await world.endpoint(), { answer })
      onTestFinished(() => client.close())
      const called = client.call("delete", {})
      await world.person.comes()
      await expect.poll(() => client.prompts).toHaveLength(1)
      expect(client.prompts[0]).toMatchObject({ mode: "url", url: expect.stringContaining("/inbox/") })
      expect(await world.person.statuses()).toEqual(["pending"])
      const { id } = await world.person.question()
      await world.person.hub.answer(id, yesOnPage)
      expect(await called).toMatchObject({ text: "Gone." })
      expect(deeds).toEqual(["deleted"])
    },
  )
})

const yesOnPage = { by: alice, action: "accept", content: { confirmed: "yes" }, hasSeenDetail: true } as const
