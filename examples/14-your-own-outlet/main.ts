// A question is shown in a chat by an outlet of your own, answered there by a press, and edited to say how it ended. A press
// of another person and a forged one do nothing. Checks every step.

import assert from "node:assert/strict"
import { createHub, createMemoryStorage } from "@holdpoint/hub"
import { createDirectory, knownPeople } from "@holdpoint/hub/outlets"
import { createChatOutlet } from "./outlet.ts"
import { takePress } from "./press.ts"
import { startChat } from "./service.ts"

const token = "the token of your bot"
const alice = { tenant: "local", issuer: "local", subject: "alice" }
const chat = await startChat(["U-alice"], token)
const storage = createMemoryStorage()
// #region hub
const hub = createHub({
  storage,
  outlets: [createChatOutlet({ url: chat.url, token, pageOf: (id) => `https://hub.example/inbox/${id}` })],
  directory: createDirectory([knownPeople([{ ...alice, addresses: { chat: "U-alice" } }])]),
})
// #endregion
try {
  const asked = await hub.ask({
    ...{ message: "Deploy release 7?", audience: alice, requester: { id: "deployer" }, lifetimeMs: 60_000 },
    form: { type: "object", properties: { go: { type: "string", enum: ["yes", "no"] } }, required: ["go"] },
  })
  const message = await until(() => chat.open()[0])
  console.log(`alice reads: ${message.text} ${message.buttons?.map((one) => `[${one}]`).join(" ")}`)
  const press = async (user: string, signature?: string): Promise<string> => {
    const sent = chat.press(message, user, true)
    return takePress(hub, sent.body, { signature: signature ?? sent.signature, token })
  }
  assert.equal(await press("alice", "00"), "forged")
  assert.notEqual(await press("mallory"), "Thank you.")
  assert.equal(await press("alice"), "Thank you.")
  assert.deepEqual((await hub.wait(asked)).status, "completed")
  await until(() => (chat.open().length === 0 ? message : undefined))
  console.log(`and then:    ${message.text}`)
} finally {
  await hub.close()
  await storage.close()
  await chat.close()
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const message = find()
    if (message !== undefined) return message
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
