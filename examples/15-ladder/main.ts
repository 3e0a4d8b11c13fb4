// A question moves up the ladder: first a chat, ten minutes later e-mail. An answer withdraws it everywhere, and a
// question that was answered early is never mailed. The program has a mail server of its own, moves the clock, and
// checks itself.

import assert from "node:assert/strict"
import { email } from "@holdpoint/email"
import { createMemoryStorage, form, inbox, yesNo } from "@holdpoint/hub"
import { createDirectory, knownPeople, type LastingOutlet } from "@holdpoint/hub/outlets"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { createTestClock } from "@holdpoint/testing"
import { startMailbox } from "./mailbox.ts"

const minute = 60_000
const alice = { tenant: "acme", issuer: "https://id.example.com", subject: "alice" }
const clock = createTestClock()
const mailbox = await startMailbox()

const messages = new Map<string, string>()
const chat: LastingOutlet = {
  name: "chat",
  addressKind: "chat",
  async post({ message }, { id }) {
    messages.set(id, message)
    return { state: "shown", receipt: { id } }
  },
  find: async ({ id }) => (messages.has(id) ? { id } : undefined),
  withdraw: async ({ message, status }, { id }) => void messages.set(id, `${message} (${status})`),
}

// #region ladder
const holdpoint = await createHoldpoint({
  storage: createMemoryStorage(),
  keys: withNewKey(),
  publicUrl: "http://127.0.0.1:4650",
  people: { from: "local", user: "alice", tenant: "acme" },
  parts: [email({ smtp: { url: mailbox.url }, from: "Holdpoint <holdpoint@example.com>", sayWhenOver: true })],
  ladder: [
    { outlet: "chat", afterMs: 0 },
    { outlet: "email", afterMs: 10 * minute },
  ],
  hub: {
    outlets: [inbox(), chat],
    directory: createDirectory([knownPeople([{ ...alice, addresses: { chat: "U1", email: "alice@example.com" } }])]),
  },
  runtime: clock,
})
// #endregion

const { hub } = holdpoint
const ask = (message: string) =>
  hub.ask({
    ...{ message, audience: alice, requester: { id: "release-robot", name: "Release robot" }, lifetimeMs: 60 * minute },
    form: form({ sure: yesNo({ title: "Go on?" }) }),
  })
const yes = { by: alice, action: "accept", content: { sure: true } } as const

const early = await ask("May I tag release 4.1?")
await until("the chat has it", () => messages.size === 1)
await hub.answer(early.id, yes)
await until("the chat says how it ended", () => [...messages.values()].includes("May I tag release 4.1? (completed)"))
await clock.advance(30 * minute)
assert.deepEqual(mailbox.subjects(), [])
console.log("answered in the chat at once: nothing is mailed, not even half an hour later")

const late = await ask("May I deploy release 4.2?")
await until("the chat has it", () => messages.size === 2)
await clock.advance(9 * minute)
assert.deepEqual(mailbox.subjects(), [])
console.log("minute 0: the chat has the question. minute 9: no mail yet")
await clock.advance(minute)
await until("it is mailed", () => mailbox.subjects().length === 1)
assert.equal(mailbox.subjects()[0], "Question from Release robot: May I deploy release 4.2?")
console.log("minute 10: it is still open, and is mailed")

await hub.answer(late.id, yes)
await until("it is withdrawn everywhere", () => mailbox.subjects().length === 2)
assert.match(mailbox.subjects()[1] ?? "", /^Over: /)
await until("the chat says so", () => [...messages.values()].includes("May I deploy release 4.2? (completed)"))
console.log("answered: the chat says how it ended, and a second mail says that it is over, without the answer")

await holdpoint.close()
await mailbox.close()

/** Runs due work until the state is reached. */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!isSo()) {
    assert.ok(Date.now() < end, what)
    await clock.advance(0)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
