// A question is shown in a chat by a part of your own, answered there by a press, and edited to say how it ended. A press of
// another person and a forged one do nothing, and the account page has a section of the part. Checks every step.

import assert from "node:assert/strict"
import { createMemoryStorage, paths } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { chat as chatPart } from "./chat/part.ts"
import { startChat } from "./service.ts"

const token = "the token of your bot"
const publicUrl = "http://127.0.0.1:4650"
const alice = { tenant: "local", issuer: "local", subject: "alice" }
const chat = await startChat(["U-alice"], token)
const storage = createMemoryStorage()
// #region part
const holdpoint = await createHoldpoint({
  storage,
  keys: withNewKey(),
  publicUrl,
  people: { from: "local", user: "alice" },
  parts: [chatPart({ url: chat.url, token, people: { "U-alice": alice } })],
})
// #endregion
const { hub, addresses } = holdpoint
try {
  const asked = await hub.ask({
    ...{ message: "Deploy release 7?", audience: alice, requester: { id: "deployer" }, lifetimeMs: 60_000 },
    form: { type: "object", properties: { go: { type: "string", enum: ["yes", "no"] } }, required: ["go"] },
  })
  const message = await until(() => chat.open()[0])
  console.log(`alice reads: ${message.text} ${message.buttons?.map((one) => `[${one}]`).join(" ")}`)
  const press = async (user: string, signature?: string): Promise<string> => {
    const sent = chat.press(message, user, true)
    const headers = { "x-signature": signature ?? sent.signature }
    const request = new Request(`${publicUrl}/chat/presses`, { method: "POST", body: sent.body, headers })
    return (await holdpoint.fetch(request)).text()
  }
  assert.equal(await press("U-alice", "00"), "forged")
  assert.notEqual(await press("U-mallory"), "Thank you.")
  assert.equal(await press("U-alice"), "Thank you.")
  assert.deepEqual((await hub.wait(asked)).status, "completed")
  await until(() => (chat.open().length === 0 ? message : undefined))
  console.log(`and then:    ${message.text}`)

  // Alice's browser: the link admits it, and the account page shows the button of the part.
  const admitted = await holdpoint.fetch(new Request(addresses.home(paths.account)))
  const cookie = admitted.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ")
  const account = await (await holdpoint.fetch(new Request(`${publicUrl}/account`, { headers: { cookie } }))).text()
  const csrf = /action="\/account\/chat"><input type="hidden" name="csrf" value="([^"]+)"/.exec(account)?.[1] ?? ""
  const post = { method: "POST", headers: { cookie }, body: new URLSearchParams({ csrf }) }
  const accounts = await (await holdpoint.fetch(new Request(`${publicUrl}/account/chat`, post))).text()
  assert.match(accounts, /U-alice/)
  console.log("her account page shows her account in the chat")
} finally {
  await holdpoint.close()
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
