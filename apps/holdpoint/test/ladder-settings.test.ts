// The settings of `holdpoint serve` for e-mail and the ladder, and the errors for wrong values.

import { isHoldpointError } from "@holdpoint/hub"
import { expect, it } from "vitest"
import { readLadder } from "../src/serve/ladder.ts"
import { toEmailOptions } from "../src/serve/parts.ts"

const email = { from: "holdpoint@example.com", smtpUrl: "smtp://user:geheim-4711@mail.example" }

it("reads times and kinds of the ladder", () => {
  const ladder = [
    { outlet: "email", after: "10m" },
    { outlet: "email", after: "never", kinds: ["shell"] },
    { outlet: "email", after: 0, kinds: ["approval", "credential_required"] },
  ]
  expect(readLadder({ email, ladder })).toEqual([
    { outlet: "email", afterMs: 600_000 },
    { outlet: "email", afterMs: "never", kinds: ["shell"] },
    { outlet: "email", afterMs: 0, kinds: ["approval", "credential_required"] },
  ])
  expect(readLadder({})).toBeUndefined()
})

it("reports every problem of the ladder, with the nearest names", () => {
  const ladder = [
    { outlet: "emial", after: "10 minutes", kind: "shell" },
    "email",
    { outlet: "email", after: "1m", kinds: ["shel"] },
  ]
  const problems = problemsOf(() => readLadder({ email, ladder }))
  expect(problems).toEqual([
    "ladder[0].kind is not a setting. Did you mean kinds?",
    "ladder[0].outlet is not an outlet that is set up here. Did you mean email?",
    "ladder[0].after must be a time such as 0s, 10m or 2h, or never.",
    'ladder[1] must be an object such as { outlet: "email", after: "10m" }.',
    "ladder[2].kinds is not a kind of question. Did you mean shell?",
  ])
  expect(() => readLadder({ ladder: [{ outlet: "email", after: "1m" }] })).toThrow(
    /The setting `ladder` cannot be used/,
  )
})

it("asks for the mail server when only a sender is set, and never repeats a password", () => {
  const { smtpUrl: url, from } = email
  expect(toEmailOptions(email)).toEqual({ from, smtp: { url } })
  expect(() => toEmailOptions({ from })).toThrow(/Set SMTP_URL to the server's address, such as smtp:/)
  const wrong = problemsOf(() => readLadder({ email, ladder: [{ outlet: "x", after: "y" }] }))
  expect(wrong.join()).not.toContain("geheim")
})

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work()
  } catch (error) {
    if (!isHoldpointError(error)) throw error
    return (error.problems ?? []).map(({ path, message, suggestion }) =>
      [`${path} ${message}`, ...(suggestion === undefined ? [] : [suggestion])].join(" "),
    )
  }
  return []
}
