// The server honours answers: “decline” and “cancel” end the call, and content must fit the form.

import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { AskedQuestion, CheckContext } from "../check-context.ts"
import type { Answer } from "../dialogue.ts"
import { invalidContent } from "../form-content.ts"
import type { Json } from "../json.ts"
import { acceptingRetry, sendRetry } from "../state-retry.ts"

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
    run: async (context) => expectCallEnds(context, await context.askUrl(), { action: "decline" }),
  },
  {
    id: "answer-url-cancel",
    title: "After a dismissed link the call ends, and the link is not sent again",
    level: "must",
    spec: refusals,
    run: async (context) => expectCallEnds(context, await context.askUrl(), { action: "cancel" }),
  },
  {
    id: "answer-form-decline",
    title: "After a declined form the call ends, and the form is not sent again",
    level: "must",
    spec: { ...refusals, "2025-06-18": actions },
    run: async (context) => expectCallEnds(context, await context.askForm(), { action: "decline" }),
  },
  {
    id: "answer-form-cancel",
    title: "After a dismissed form the call ends, and the form is not sent again",
    level: "must",
    spec: { ...refusals, "2025-06-18": actions },
    run: async (context) => expectCallEnds(context, await context.askForm(), { action: "cancel" }),
  },
  {
    id: "answer-decline-no-success",
    title: "A declined link does not count as finished",
    level: "must",
    spec: refusals,
    async run(context) {
      if (context.target.done === undefined) return skip("the text of a finished call's result is not known (--done)")
      const { dialogue } = await requireAnswerable(await context.askUrl())
      const callState = await dialogue.answer({ action: "decline" })
      expect(
        !context.isCompleted(callState),
        "a result other than that of a finished call",
        describeCallState(callState),
      )
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
    async run(context) {
      const { dialogue, question } = await context.askForm()
      const content = invalidContent(question.params.requestedSchema)
      if (Object.keys(content).length === 0) return skip("the form has no fields")
      const callState = await dialogue.answer({ action: "accept", content })
      const isAccepted = callState.kind === "done" && callState.result.isError !== true
      expect(!isAccepted, "an error, or the question again", describeCallState(callState))
    },
  },
  {
    id: "answer-missing",
    title: "When an answer is missing, the server asks again instead of failing",
    level: "should",
    spec: { "2026-07-28": mrtrErrors },
    async run(context) {
      const { dialogue } = await context.askForm()
      const callState = await dialogue.continueCall()
      expect(callState.kind === "asked", "the question again", describeCallState(callState))
    },
  },
  {
    id: "answer-unknown",
    title: "Answers to questions that were not asked are ignored",
    level: "should",
    spec: { "2026-07-28": mrtrErrors },
    async run(context) {
      const retry = acceptingRetry(context, await context.askForm(), "form")
      const inputResponses = { ...(retry.responses.inputResponses as Json), "never-asked": { action: "accept" } }
      const callState = await sendRetry(context, { ...retry, responses: { inputResponses } })
      expect(callState.kind !== "refused", "the same as without the stray answer", describeCallState(callState))
    },
  },
]

async function expectCallEnds(context: CheckContext, askedQuestion: AskedQuestion, answer: Answer): Promise<void> {
  const { dialogue } = requireAnswerable(askedQuestion)
  const callState = await dialogue.answer(answer, context.legMs)
  expect(callState.kind === "done" || callState.kind === "refused", "the end of the call", describeCallState(callState))
}

/** Skips the check after the error -32042: the client cannot answer, it may only call again. */
export function requireAnswerable(askedQuestion: AskedQuestion): AskedQuestion {
  return askedQuestion.callState.channel === "error" ? skip("-32042 leaves nothing to answer") : askedQuestion
}
