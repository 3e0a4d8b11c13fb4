// The server honours answers: a no ends the call's question, and a yes to a link is consent only.

import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { Answer } from "../dialogue.ts"
import { invalidContent } from "../form-content.ts"
import type { Json } from "../json.ts"
import { present, presentedBy } from "../presenting.ts"
import type { AskedQuestion, Stage } from "../stage.ts"

const actions = "client/elicitation#response-actions"
const failures = "client/elicitation#error-handling"
const refusals = { "2026-07-28": failures, "2025-11-25": actions }
const mrtrErrors = "basic/patterns/mrtr#error-handling"

export const answers: readonly UrlModeCheck[] = [
  {
    id: "answer-url-decline",
    title: "After a declined link the call ends, and the link is not sent again",
    level: "must",
    spec: refusals,
    run: async (stage) => endsWith(stage, await stage.askUrl(), { action: "decline" }),
  },
  {
    id: "answer-url-cancel",
    title: "After a dismissed link the call ends, and the link is not sent again",
    level: "must",
    spec: refusals,
    run: async (stage) => endsWith(stage, await stage.askUrl(), { action: "cancel" }),
  },
  {
    id: "answer-form-decline",
    title: "After a declined form the call ends, and the form is not sent again",
    level: "must",
    spec: { ...refusals, "2025-06-18": actions },
    run: async (stage) => endsWith(stage, await stage.askForm(), { action: "decline" }),
  },
  {
    id: "answer-form-cancel",
    title: "After a dismissed form the call ends, and the form is not sent again",
    level: "must",
    spec: { ...refusals, "2025-06-18": actions },
    run: async (stage) => endsWith(stage, await stage.askForm(), { action: "cancel" }),
  },
  {
    id: "answer-decline-no-success",
    title: "A declined link does not count as finished",
    level: "must",
    spec: refusals,
    async run(stage) {
      if (stage.target.done === undefined) return skip("the text of a finished call's result is not known (--done)")
      const { dialogue } = await pushed(await stage.askUrl())
      const callState = await dialogue.answer({ action: "decline" })
      expect(!stage.isCompleted(callState), "a result other than that of a finished call", describeCallState(callState))
    },
  },
  {
    id: "answer-form-misfit",
    title: "Content that does not fit the form is not accepted",
    level: "should",
    spec: {
      "2026-07-28": "client/elicitation#form-mode-security",
      "2025-11-25": "client/elicitation#form-mode-security",
      "2025-06-18": "client/elicitation#security-considerations",
    },
    async run(stage) {
      const { dialogue, question } = await stage.askForm()
      const content = invalidContent(question.params.requestedSchema)
      if (Object.keys(content).length === 0) return skip("the form has no fields")
      const callState = await dialogue.answer({ action: "accept", content })
      const isTaken = callState.kind === "done" && callState.result.isError !== true
      expect(!isTaken, "an error, or the question again", describeCallState(callState))
    },
  },
  {
    id: "answer-missing",
    title: "When an answer is missing, the server asks again instead of failing",
    level: "should",
    spec: { "2026-07-28": mrtrErrors },
    async run(stage) {
      const { dialogue } = await stage.askForm()
      const callState = await dialogue.goOn()
      expect(callState.kind === "asked", "the question again", describeCallState(callState))
    },
  },
  {
    id: "answer-unknown",
    title: "Answers to questions that were not asked are ignored",
    level: "should",
    spec: { "2026-07-28": mrtrErrors },
    async run(stage) {
      const shown = presentedBy(stage, await stage.askForm(), "form")
      const inputResponses = { ...(shown.responses.inputResponses as Json), "never-asked": { action: "accept" } }
      const callState = await present(stage, { ...shown, responses: { inputResponses } })
      expect(callState.kind !== "refused", "the same as without the stray answer", describeCallState(callState))
    },
  },
]

async function endsWith(stage: Stage, asked: AskedQuestion, answer: Answer): Promise<void> {
  const { dialogue } = pushed(asked)
  const callState = await dialogue.answer(answer, stage.legMs)
  expect(callState.kind === "done" || callState.kind === "refused", "the end of the call", describeCallState(callState))
}

/** After the error -32042 there is nothing to answer: the client may only call again. */
export function pushed(asked: AskedQuestion): AskedQuestion {
  return asked.callState.channel === "error" ? skip("-32042 leaves nothing to answer") : asked
}
