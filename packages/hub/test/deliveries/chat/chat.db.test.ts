// A question that one process asks is shown in a chat by another, answered there by a click, and withdrawn by a third:
// real processes, one of which is killed with kill -9.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { createFolder } from "@holdpoint/testkit/hub/stores/engines"
import type { Child } from "@holdpoint/testkit/hub/stores/processes/child"
import { startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"
import type { ChatMessage, ChatService } from "./service.ts"
import { startChatService } from "./service.ts"

describe("a chat", () => {
  let folder = ""
  let service: ChatService
  const children: Child[] = []

  beforeAll(async () => {
    folder = await createFolder()
    service = await startChatService(["alice"])
  })
  afterAll(async () => {
    for (const child of children) child.process.stdin?.end()
    await Promise.all(children.map(({ gone }) => gone))
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  const start = async (url = ""): Promise<{ readonly child: Child; readonly address: string }> => {
    const child = startChild("packages/hub/test/deliveries/chat/peer.ts", join(folder, "hub.db"), url)
    children.push(child)
    return { child, address: JSON.parse(await child.line()) }
  }
  const ask = async ({ child }: { readonly child: Child }, who: string): Promise<string> => {
    child.say(who)
    return JSON.parse(await child.line())
  }
  const messageOf = async (question: string): Promise<ChatMessage> => {
    const find = () => service.open().find(({ metadata }) => metadata.question === question)
    await expect.poll(find, { timeout: 10_000, interval: 5 }).toBeDefined()
    return find()!
  }

  verifies(
    ["delivery.any-process", "delivery.withdrawn", "delivery.survives-a-kill"],
    "shows a question of another process, takes the answer, and withdraws it after a kill and a restart",
    async () => {
      const [asker, chat] = [await start(), await start(service.url)]
      const first = await ask(asker, "alice")
      const message = await messageOf(first)
      expect(await service.click(chat.address, message, { user: "alice", button: "Allow" })).toBe("thanks")
      expect(JSON.parse(await asker.child.line())).toEqual({ status: "completed", content: { ok: true } })
      await expect.poll(() => message.buttons).toEqual([])
      expect(message.text).toBe("May this go out? (completed)")

      const second = await messageOf(await ask(asker, "alice"))
      chat.child.process.kill("SIGKILL")
      await chat.child.gone
      const answering = await start()
      expect(await service.click(answering.address, second, { user: "alice", button: "Refuse" })).toBe("thanks")
      expect(JSON.parse(await asker.child.line())).toEqual({ status: "declined" })
      expect(second.buttons).toEqual(["Allow", "Refuse"])
      const owed = await ask(asker, "alice")
      await start(service.url)
      await expect.poll(() => second.text, { timeout: 10_000 }).toBe("May this go out? (declined)")
      await messageOf(owed)
      expect(service.messages).toHaveLength(3)
    },
  )

  verifies("delivery.unable-when-all-are", "ends a question to a stranger as unsupported", async () => {
    const [asker] = [await start(), await start(service.url)]
    await ask(asker, "stranger")
    expect(JSON.parse(await asker.child.line())).toEqual({
      status: "unsupported",
      reason: { code: "no_outlet", message: "chat: not a member" },
    })
  })

  verifies("audience.foreign-answer-refused", "refuses a click of another person, and a forged click", async () => {
    const [asker, chat] = [await start(), await start(service.url)]
    const message = await messageOf(await ask(asker, "alice"))
    expect(await service.click(chat.address, message, { user: "mallory", button: "Allow" })).toBe("not_addressee")
    const body = JSON.stringify({ user: "alice", button: "Allow", metadata: message.metadata })
    const forged = await fetch(chat.address, { method: "POST", body, headers: { "x-signature": "00" } })
    expect(await forged.text()).toBe("forged")
    expect(message.buttons).toEqual(["Allow", "Refuse"])
  })
})
