// Scripts with tool-sdk.sh behind the real server, called by official clients and by a handwritten one of 2025-06-18.

import type { Answering, ClientKind, Prompt } from "@holdpoint/testkit/mcp/server/clients/client"
import { describe, expect, it } from "vitest"
import { printed } from "../open-shell.ts"
import { opened } from "../opened.ts"
import { hostile, values } from "./asking.ts"
import { findProgram, quoted } from "./shells.ts"

const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", "v2 legacy", "raw 2025-06-18"]
const begin = `set -euo pipefail\nsource "\${MCP_SDK:?}/tool-sdk.sh"\n`
const bash = (lines: string): string => `#!/usr/bin/env bash\n${begin}${lines}`
const never: Answering = () => {
  throw new Error("this client is not asked")
}

/** The text as a person may see it: without control characters other than line breaks and tabs. */
const words = hostile.replaceAll(/\p{Cc}/gu, (character) => (/[\n\t]/.test(character) ? character : ""))
const visibleValues = values.filter((value) => !/\p{Cc}/u.test(value) && value.trim() !== "")

const fieldsOf = ({ requestedSchema }: Prompt): readonly string[] => Object.keys(requestedSchema?.properties ?? {})

describe.each(kinds)("a script called by %s", (kind) => {
  it("confirms with its own labels, and gets the same content whatever form was shown", async () => {
    const asks = bash("mcp_elicit_confirm 'Overwrite report.pdf?' --yes Overwrite --no 'Keep it'")
    const { client } = await opened({ scripts: { asks } })
    const caller = await client(kind, () => ({ action: "accept", content: { confirmed: "yes" } }))
    expect(printed(await caller.call("asks"))).toEqual({ action: "accept", content: { confirmed: true } })
    const declining = await client(kind, () => ({ action: "decline" }))
    expect(printed(await declining.call("asks", { again: 1 }))).toEqual({ action: "decline", content: null })
    expect(JSON.stringify(caller.prompts)).toContain("Keep it")
  })

  it("asks three questions, each with hostile strings, and returns what the person entered", async () => {
    const asks = bash(`name=$(mcp_elicit_string ${quoted(words)} name --title 'A "name": é')
size=$(mcp_elicit_choice 'Size?' ${visibleValues.map(quoted).join(" ")})
form=$(mcp_form --integer count --min 1 --date due --optional | mcp_elicit_form 'How many?' --timeout 120)
mcp_result_success "$(mcp_json_obj name "$(mcp_json_get "$name" .content.name)" size "$(mcp_json_get "$size" .content.choice)" \\
  count "$(mcp_json_get "$form" .content.count)" due "$(mcp_json_get "$form" '.content.due // "none"')")"`)
    const { client } = await opened({ scripts: { asks } })
    const answers: Readonly<Record<string, string | number>> = { name: words, choice: "--default", count: 3 }
    const caller = await client(kind, (prompt) => {
      const entries = fieldsOf(prompt).flatMap((field) => (field in answers ? [[field, answers[field] ?? ""]] : []))
      return { action: "accept", content: Object.fromEntries(entries) }
    })
    const called = await caller.call("asks")
    expect(called).toMatchObject({ isError: false })
    expect(printed(called)).toEqual({
      success: true,
      result: { name: words, size: "--default", count: "3", due: "none" },
    })
    expect(caller.prompts.map(({ message }) => message)).toEqual([words, "Size?", "How many?"])
  })
})

it("asks from several subshells at the same time, and each gets its own answer", async () => {
  const asks = bash(`folder=\${MCP_ELICIT_REQUEST_FILE%/*}
for n in 1 2 3 4 5; do mcp_elicit_string "Question $n?" >"$folder/$n" & done
wait
for n in 1 2 3 4 5; do mcp_json_get "$(cat "$folder/$n")" .content.value; printf ' '; done`)
  const { client } = await opened({ scripts: { asks } })
  const caller = await client("v2 legacy", ({ message }) => ({
    action: "accept",
    content: { value: message.slice(-2, -1) },
  }))
  expect(await caller.call("asks")).toMatchObject({ text: "1 2 3 4 5 " })
})

it("continues when a question timed out, and asks the next one", async () => {
  const asks = bash(`first=$(mcp_elicit_string 'Quickly?' --timeout 900)
second=$(mcp_elicit_string 'Then?')
printf '[%s,%s]' "$first" "$second"`)
  const { client, person } = await opened({ scripts: { asks } })
  const caller = await client("v2 legacy", ({ message }) =>
    message === "Then?" ? { action: "accept", content: { value: "yes" } } : new Promise(() => {}),
  )
  const calling = caller.call("asks")
  await person.letsExpire(await person.question())
  expect(printed(await calling)).toEqual([
    { action: "error", content: null, reason: "timed_out" },
    { action: "accept", content: { value: "yes" } },
  ])
})

it("reports that a link was accepted but is not completed", async () => {
  const { client } = await opened({ scripts: { pay: bash("mcp_elicit_url 'Pay?' https://pay.example/1") } })
  const caller = await client("v2 legacy", () => ({ action: "accept" }), { capabilities: { elicitation: { url: {} } } })
  expect(printed(await caller.call("pay"))).toEqual({ action: "accept", content: null, completed: false })
})

it("refuses to overwrite, with its own message, when the client cannot ask", async () => {
  const asks = bash(
    "if mcp_confirm 'Overwrite?'; then printf overwritten; else mcp_error refused 'Nothing was overwritten.' --hint 'Choose another name.'; fi",
  )
  const { client } = await opened({ scripts: { asks }, hasPages: false })
  const caller = await client("no capability", never)
  expect(await caller.call("asks")).toMatchObject({ isError: true, text: "Nothing was overwritten." })
})

it("fails with invalid params when an argument is missing, even without set -e", async () => {
  const asks =
    '#!/usr/bin/env bash\nsource "$MCP_SDK/tool-sdk.sh"\npath=$(mcp_args_require .path)\necho "removed $path/build" | tee "$0.ran"'
  const { client } = await opened({ scripts: { asks } })
  const caller = await client("v2 legacy", never)
  await expect(caller.call("asks")).resolves.toMatchObject({
    kind: "error",
    code: -32602,
    message: expect.stringContaining(".path is required"),
  })
})

it.for([
  ["dash", "#!/usr/bin/env dash\nset -eu"],
  ["zsh", "#!/usr/bin/env zsh\nset -euo pipefail"],
  ["busybox", "#!/usr/bin/env -S busybox sh\nset -euo pipefail"],
] as const)("asks in a script for %s", async ([name, head], context) => {
  if (findProgram(name) === undefined) context.skip(`not tried: no ${name} here`)
  const asks = `${head}\n. "$MCP_SDK/tool-sdk.sh"\nanswer=$(mcp_elicit_titled_multi_choice 'Which?' 'a\\:1:First' b:Second)\nmcp_json_get "$answer" '.content.choices[]'`
  const { client } = await opened({ scripts: { asks } })
  const caller = await client("v2 legacy", () => ({ action: "accept", content: { choices: ["a:1", "b"] } }))
  expect(await caller.call("asks")).toMatchObject({ isError: false, text: "a:1\nb" })
})
