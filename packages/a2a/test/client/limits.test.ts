// The table of limits in docs/a2a.md has the figures of the source.

import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { agentLimits } from "../../src/client/limits.ts"
import { toSettings } from "../../src/client/settings.ts"

const document = readFileSync(new URL("../../../../docs/a2a.md", import.meta.url), "utf8")

const { limits: times } = toSettings({ name: "any", url: "https://agent.example" })
const count = (value: number): string => value.toLocaleString("en-US")
const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`
const minutes = (ms: number): string => (ms < 60_000 ? `${ms / 1_000} s` : `${ms / 60_000} min`)

it("the documented limits for what an agent sends are those of the client", () => {
  const rows = [
    `| a response, or a stream with all its events and comments | ${megabytes(agentLimits.bytes)} |`,
    `| the card | ${megabytes(agentLimits.cardBytes)} |`,
    `| nested levels of JSON | ${count(agentLimits.levels)} |`,
    `| members, items, lists and objects of a response or an event | ${count(agentLimits.values)} |`,
    `| parts of a message, or of all artifacts | ${count(agentLimits.parts)} |`,
    `| text, data and links of a reply | ${count(agentLimits.replyCharacters)} characters; further parts are left out |`,
    `| a message that asks, with its forms | ${count(agentLimits.questionCharacters)} characters |`,
    `| an id | ${count(agentLimits.idCharacters)} characters |`,
    `| questions at a time, and of one task | ${agentLimits.questionsAtOnce}, ${agentLimits.questions} |`,
    `| notes for the model about questions that could not be shown | ${agentLimits.notes} |`,
    `| time for a complete response to a message, or the first event of its stream | ${minutes(times.sendMs)} |`,
    `| time for any other complete response | ${minutes(times.readMs)} |`,
    `| work without a question | ${minutes(times.workMs)} |`,
    `| out of reach during a task | ${minutes(times.unreachedMs)} |`,
  ]
  for (const row of rows) expect(document).toContain(row)
})
