// Starts the stand-in for Slack, runs the program, and acts as alice: presses the button, fills in the modal, and
// checks the program's answer and the final messages.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { release } from "./release.ts"

const program = join(import.meta.dirname, "..", "..", "test", "slack-stand-in", "main.ts")
const standIn = spawn(process.execPath, [program, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] })
process.once("exit", () => standIn.kill())
const settings = await readSettings()
const page = new URL("/", settings.SLACK_API_URL)

const printed: string[] = []
const keys = { botToken: settings.SLACK_BOT_TOKEN ?? "", appToken: settings.SLACK_APP_TOKEN ?? "" }
const released = release({ ...keys, apiUrl: settings.SLACK_API_URL ?? "" }, (line) => {
  printed.push(line)
  console.log(line)
})

await act({ act: "press", ts: await tsOf("Publish version 2.0?", "holdpoint_yes"), button: "holdpoint_yes" })
await act({ act: "press", ts: await tsOf("What is new in 2.0?", "holdpoint_answer"), button: "holdpoint_answer" })
await waitForText("<dialog")
await act({ act: "submit", field_0: "Slack, e-mail and webhooks" })
await released
assert.deepEqual(printed, ["publish: completed", "notes: Slack, e-mail and webhooks"])
const end = await waitForText("Answered by")
assert.ok(!end.includes("holdpoint_yes"), "the answered question has no buttons any more")
console.log("slack: both questions say how they ended, and their buttons are gone")
standIn.kill()
await once(standIn, "exit")

/** Does something as alice, in her direct messages with the app. */
async function act(fields: Readonly<Record<string, string>>): Promise<void> {
  const body = new URLSearchParams({ team: "T0TEAM", user: "U0ALICE", channel: "D0ALICE", ...fields })
  const response = await fetch(page, { method: "POST", body, redirect: "manual" })
  assert.equal(response.status, 303)
}

/** Waits until alice's messages contain these words, and returns their text. */
async function waitForText(words: string): Promise<string> {
  for (;;) {
    const text = await (await fetch(new URL("/?user=U0ALICE", page))).text()
    if (text.includes(words)) return text
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The timestamp of the message with these words and this button. */
async function tsOf(words: string, button: string): Promise<string> {
  const text = (await waitForText(button)).split(words).at(-1) ?? ""
  return /name="ts" value="([\d.]+)"/.exec(text)?.[1] ?? assert.fail(`There is no message “${words}”.`)
}

async function readSettings(): Promise<Readonly<Record<string, string>>> {
  const variables: Record<string, string> = {}
  for await (const line of createInterface({ input: standIn.stdout })) {
    const [, name = "", value = ""] = /^export (\w+)=(.*)$/.exec(line) ?? []
    if (name !== "") variables[name] = value
    if (name === "SLACK_SIGNING_SECRET") return variables
  }
  throw new Error("The stand-in ended before it printed its settings.")
}
