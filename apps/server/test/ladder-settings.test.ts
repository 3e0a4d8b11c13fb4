// The settings of `holdpoint serve` for e-mail and the ladder, and the errors for wrong values.

import { isHoldpointError } from "@holdpoint/sdk"
import { expect, it } from "vitest"
import { readReach } from "../src/serve/ladder.ts"

const email = { from: "holdpoint@example.com", smtpUrl: "smtp://user:geheim-4711@mail.example" }

it("reads times and kinds of the ladder", () => {
  const ladder = [
    { outlet: "email", after: "10m" },
    { outlet: "email", after: "never", kinds: ["shell"] },
    { outlet: "email", after: 0, kinds: ["approval", "credential_required"] },
  ]
  expect(readReach({ email, ladder })).toEqual({
    email: { from: "holdpoint@example.com", smtp: { url: email.smtpUrl } },
    ladder: [
      { outlet: "email", afterMs: 600_000 },
      { outlet: "email", afterMs: "never", kinds: ["shell"] },
      { outlet: "email", afterMs: 0, kinds: ["approval", "credential_required"] },
    ],
  })
  expect(readReach({})).toEqual({})
})

it("reports every problem of the ladder, with the nearest names", () => {
  const ladder = [
    { outlet: "emial", after: "10 minutes", kind: "shell" },
    "email",
    { outlet: "email", after: "1m", kinds: ["shel"] },
  ]
  const problems = problemsOf(() => readReach({ email, ladder }))
  expect(problems).toEqual([
    "ladder[0].kind is not a setting. Did you mean kinds?",
    "ladder[0].outlet is not an outlet that is set up here. Did you mean email?",
    "ladder[0].after must be a time such as 0s, 10m or 2h, or never.",
    'ladder[1] must be an object such as { outlet: "email", after: "10m" }.',
    "ladder[2].kinds is not a kind of question. Did you mean shell?",
  ])
  expect(() => readReach({ ladder: [{ outlet: "email", after: "1m" }] })).toThrow(/The setting `ladder` cannot be used/)
})

it("asks for the mail server when only a sender is set, and never repeats a password", () => {
  expect(() => readReach({ email: { from: "holdpoint@example.com" } })).toThrow(
    /Set SMTP_URL to the server's address, such as smtp:/,
  )
  const wrong = problemsOf(() => readReach({ email, ladder: [{ outlet: "x", after: "y" }] }))
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
