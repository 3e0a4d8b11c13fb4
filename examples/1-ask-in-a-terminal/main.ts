// A program that stops before a release, asks the person at the terminal, and goes on with the answer.
// With --play, or without a terminal, a scripted person answers and the program checks itself.

import assert from "node:assert/strict"
import { choice, createHub, createMemoryStorage, form, text, yesNo } from "@holdpoint/hub"
import { createTerminalOutlet } from "@holdpoint/terminal"
import { person } from "@holdpoint/testing"

const me = { tenant: "local", issuer: "this-machine", subject: "me" }
const isPlay = process.argv.includes("--play") || !process.stdin.isTTY || !process.stdout.isTTY
const scripted = { note: "Faster search", environment: "staging", notify: false } as const

const hub = createHub({
  storage: createMemoryStorage(),
  outlets: (hub) => [isPlay ? person(me).accepts(scripted).outlet(hub) : createTerminalOutlet({ as: me, hub })],
})

// #region ask
const asked = await hub.ask({
  message: "Version 4.2.0 is built and tested. Release it?",
  audience: me,
  requester: { id: "release-script", name: "Release script" },
  form: form(
    {
      note: text({ title: "Release note", description: "One sentence for the people who use it.", minLength: 5 }),
      environment: choice({ staging: "Staging", production: "Production" }, { title: "Environment" }),
      notify: yesNo({ title: "Notify the team", default: true }),
    },
    { optional: ["note"] },
  ),
})
// #endregion
if (isPlay) console.log(`asked: ${asked.message}`)

const outcome = await hub.wait(asked)
switch (outcome.status) {
  case "completed":
    console.log(`Releasing to ${outcome.content.environment}: ${outcome.content.note ?? "(no note)"}`)
    break
  case "declined":
    console.log("You said no. Nothing was released.")
    break
  case "cancelled":
    console.log("You closed the question. Nothing was released.")
    break
  case "expired":
    console.log("No answer came within five minutes. Nothing was released.")
    break
  case "failed":
  case "unsupported":
    console.log(`The question could not be asked: ${outcome.reason?.message ?? outcome.status}`)
}

await hub.close()
if (isPlay) assert.deepEqual(outcome, { status: "completed", content: scripted })
