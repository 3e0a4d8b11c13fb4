// Texts that others wrote are refused by their size before a pattern or a parser reads them.

import { answerFromText } from "@holdpoint/a2a"
import { choices, form } from "@holdpoint/hub"
import { createTestClock } from "@holdpoint/testing"
import { describe, expect, it } from "vitest"
import { testCredentials } from "../../../../packages/accounts/src/vault/entered-credentials.ts"
import { parseBounce } from "../../../../packages/email/src/bounce.ts"
import { formLimits } from "../../../../packages/hub/src/core/form.ts"
import { textProblem } from "../../../../packages/hub/src/core/text.ts"

const size = 8_000_000
/** Far less than the same text took before, and enough for a busy machine. */
const mostMs = 150

/** The fastest of three counts: on a busy machine one of them may wait. */
async function timed<T>(work: () => T | Promise<T>): Promise<T> {
  const times: number[] = []
  let result = work()
  for (let run = 0; run < 3; run++) {
    const startedAt = performance.now()
    result = await work()
    times.push(performance.now() - startedAt)
  }
  expect(Math.min(...times), "milliseconds").toBeLessThan(mostMs)
  return result
}

const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`o${at}`, `Option ${at}`]))

describe("a text of megabytes", () => {
  it.each([",", ".", "o1,", "\u{1f600}", "\n"])("of %j is refused as an answer over A2A", async (part) => {
    const text = part.repeat(size / part.length)
    const result = await timed(() => answerFromText(form({ which: choices(many) }), text))
    expect(result).toEqual({ problem: `The answer is larger than ${formLimits.bytes / 1_024} KiB.` })
  })

  it.each([" ", "a", "\u{1f600}", "\ud800"])("of %j is refused as a message, a name or a reason", async (part) => {
    const text = part.repeat(size / part.length)
    expect(await timed(() => textProblem(text, 1_000))).toBe("must have at most 1000 characters")
  })

  it.each([
    ["api_key", { key: "\n".repeat(size) }, "too_long"],
    ["basic", { username: " ".repeat(size), password: "p" }, "user_name_too_long"],
    ["basic", { username: "u", password: "\n".repeat(size) }, "too_long"],
  ])("is refused as a credential (%s)", async (kind, values, code) => {
    const tools = { fetch: () => Promise.reject(new Error("nothing is fetched")), runtime: createTestClock() }
    const result = await timed(() => testCredentials({ kind, name: "Notes" } as never, values as never, tools as never))
    expect(result).toMatchObject({ kind: "refused", reason: { code } })
  })

  it("is read as a bounce only at its beginning", async () => {
    const report = "Status: 5.1.1\nAction: failed\n"
    const message = `To: <bounces+${"a".repeat(24)}@hub.example>\n\n${"\n ".repeat(size / 2)}${report}`
    expect(await timed(() => parseBounce(message))).toMatchObject({ returnId: "a".repeat(24), isFailed: false })
  })
})
