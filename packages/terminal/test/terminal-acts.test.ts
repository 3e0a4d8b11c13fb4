// Yes-or-no questions at the terminal: a menu of two named acts, in which just pressing Enter chooses nothing.

import { choice, form, text, yesNo } from "@holdpoint/hub"
import { type FakeTerminal, keys, openTerminal } from "@holdpoint/testkit/terminal/fake-terminal"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, expect, test } from "vitest"

const { enter, down, backspace, esc, ctrlC } = keys

let terminal: FakeTerminal

beforeEach(() => {
  terminal = openTerminal()
})

afterEach(() => terminal.hub.close())

const decision = form({ confirmed: choice({ yes: "Delete note", no: "Keep it" }, { title: "Your answer" }) })

verifies("answer.names-the-acts", "asks a yes-or-no question by the names of its two acts", async () => {
  const { hub, ask, at } = terminal
  const agreed = await ask(decision)
  await at("  Delete note\n  Keep it\n", down, enter)
  await at("Sent: Delete note.")
  expect(await hub.wait(agreed)).toEqual({ status: "completed", content: { confirmed: "yes" } })
  const refused = await ask(decision)
  await at("  Delete note\n  Keep it\n", down, down, enter)
  await at("Sent: Keep it.")
  expect(await hub.wait(refused)).toEqual({ status: "completed", content: { confirmed: "no" } })
})

verifies("answer.names-the-acts", "asks a form with a single yes-or-no field as Yes or No", async () => {
  const { hub, ask, at } = terminal
  const asked = await ask(form({ sure: yesNo({ title: "I have read it", default: true }) }))
  await at("  I have read it\n")
  await at("  Yes\n  No\n", down, down, enter)
  expect(await hub.wait(asked)).toEqual({ status: "completed", content: { sure: false } })
})

verifies("answer.names-the-acts", "asks a question without fields by the act in its message", async () => {
  const { hub, ask, at } = terminal
  const agreed = await ask(form({}), { message: "Deploy version 3?" })
  await at("  Deploy\n  Do not deploy\n", down, enter)
  await at("Sent: Deploy.")
  expect(await hub.wait(agreed)).toEqual({ status: "completed", content: {} })
  const refused = await ask(form({}), { message: "Deploy version 3?" })
  await at("  Deploy\n  Do not deploy\n", down, down, enter)
  await at("Sent: Do not deploy.")
  expect(await hub.wait(refused)).toEqual({ status: "declined" })
})

test.each([
  ["a yes-or-no question", decision],
  ["a yes-or-no question with fields", form({ ...decision.properties, to: text({ default: "bob" }) })],
  ["a question without fields", form({})],
])("does not take just Enter as an answer to %s", async (_what, asked) => {
  const { hub, ask, at } = terminal
  const { id } = await ask(asked)
  await at("❯ (choose with ↑ and ↓)", enter)
  await at("❯ (choose with ↑ and ↓)", enter, enter)
  await at("❯ (choose with ↑ and ↓)", ctrlC)
  expect(await hub.wait(id)).toEqual({ status: "cancelled" })
})

test("does not take just Enter as consent to open a link", async () => {
  const { hub, askToVisit, at } = terminal
  const asked = await askToVisit("https://example.com/connect/1")
  await at("❯ (choose with ↑ and ↓)", enter)
  await at("❯ (choose with ↑ and ↓)", ctrlC)
  expect(await hub.wait(asked)).toEqual({ status: "cancelled" })
})

test("sends the fields beside a yes-or-no question with a yes, and declines them with a no", async () => {
  const { hub, ask, at } = terminal
  const fields = form({ ...decision.properties, to: text({ title: "To", default: "bob" }), why: text() })
  const agreed = await ask(fields)
  await at("bob\n")
  await at("  Change something\n", down, down, down, enter)
  await at("Change what?", enter)
  await at("To (required)", ...Array(3).fill(backspace), "carol", enter)
  await at("  Delete note\n", down, enter)
  await at("why (required)", "old", enter)
  await at("old\n")
  await at("  Delete note\n", down, enter)
  await at("Sent: Delete note.")
  expect(await hub.wait(agreed)).toMatchObject({ content: { confirmed: "yes", to: "carol", why: "old" } })
  const refused = await ask(fields)
  await at("  Keep it\n", down, down, enter)
  expect(await hub.wait(refused)).toEqual({ status: "declined" })
})

test("leaves a yes-or-no question on Esc only when the person says so", async () => {
  const { hub, ask, at } = terminal
  const asked = await ask(decision)
  await at("  Keep it\n", esc)
  await at("Leave this question?", enter)
  await at("  Keep it\n", esc)
  await at("Leave this question?", down, enter)
  expect(await hub.wait(asked)).toEqual({ status: "cancelled" })
})

verifies("answer.names-the-acts", "does not take just Enter as the yes that a form suggests", async () => {
  const { hub, ask, at } = terminal
  const sure = yesNo({ title: "Sure", default: true })
  const loud = yesNo({ title: "Loud", default: true })
  const fields = form({ sure, loud, to: text({ title: "To" }) })
  const asked = await ask({ ...fields, required: ["sure", "to"] })
  await at("Sure (required, yes or no, suggested: yes)", enter)
  await at("is missing", "y", enter)
  await at("❯ (leave out)", enter)
  await at("To (required)", "bob", enter)
  await at("❯ Send", enter)
  expect(await hub.wait(asked)).toEqual({ status: "completed", content: { sure: true, to: "bob" } })
})
