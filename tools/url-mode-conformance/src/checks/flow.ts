// From a question to a result: consent is not completion, one prompt is enough, and every wait ends.

import type { CallState } from "../call-state.ts"
import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import type { ToolCall } from "../dialogue.ts"
import { requireAnswerable } from "./answers.ts"

const urlMode = "client/elicitation#url-mode-elicitation-requests"
const messageFlow = "client/elicitation#url-mode-flow"
const since2025 = { "2026-07-28": urlMode, "2025-11-25": urlMode }
const maxRounds = 5

export const flow: readonly UrlModeCheck[] = [
  {
    id: "flow-accept-is-consent",
    title: "Agreeing to open a link does not finish the call",
    level: "must",
    spec: since2025,
    async run(context) {
      const { dialogue } = await context.askUrl()
      await acceptRepeatedly(context, dialogue, (callState) => {
        expect(
          !context.isCompleted(callState),
          "a call that waits until the page is done",
          describeCallState(callState),
        )
      })
    },
  },
  {
    id: "flow-one-prompt",
    title: "A person who agreed to open a link is not asked again while the page is open",
    level: "should",
    spec: { "2026-07-28": messageFlow, "2025-11-25": messageFlow },
    async run(context) {
      const { dialogue } = requireAnswerable(await context.askUrl())
      await acceptRepeatedly(context, dialogue, () => {
        const prompts = dialogue.questions.filter(({ mode }) => mode === "url").length
        expect(prompts === 1, "one prompt", `${prompts} prompts in one call`)
      })
    },
  },
  {
    id: "flow-second-call",
    title: "A second call while a link is open asks no more questions than the first",
    level: "should",
    spec: { "2026-07-28": messageFlow, "2025-11-25": messageFlow },
    async run(context) {
      const firstQuestion = await context.askUrl()
      const secondCall = await context.call(context.tool("url"))
      const firstCount = firstQuestion.callState.questions.length
      expect(
        secondCall.questions.length <= firstCount,
        `at most ${firstCount} questions`,
        `${secondCall.questions.length} questions`,
      )
      expect(
        firstQuestion.dialogue.questions.length === firstCount,
        "no more questions in the first call",
        firstQuestion.dialogue.questions.length,
      )
    },
  },
  {
    id: "flow-leg",
    title: "A retry is answered before the client gives up",
    level: "should",
    spec: { "2026-07-28": messageFlow },
    async run(context) {
      const { dialogue } = await context.askUrl()
      const callState = await dialogue.answer({ action: "accept" }, context.legMs)
      expect(callState.kind !== "held", `an answer within ${context.legMs / 1_000} s`, "none")
    },
  },
  {
    id: "flow-unanswered",
    title: "A retry without an answer does not finish the call",
    level: "must",
    spec: { "2026-07-28": "basic/patterns/mrtr#error-handling" },
    async run(context) {
      const { dialogue } = await context.askUrl()
      const callState = await dialogue.continueCall(context.quietMs)
      expect(!context.isCompleted(callState), "the question again, or no answer yet", describeCallState(callState))
    },
  },
  {
    id: "flow-finished",
    title: "When the page is done, the call that asked gets its result without another prompt",
    level: "should",
    spec: { "2026-07-28": messageFlow, "2025-11-25": messageFlow },
    async run(context) {
      const askedQuestion = await context.askUrl()
      const dialogue = await consent(context, askedQuestion)
      const questionCount = dialogue.questions.length
      await context.finish(askedQuestion.link)
      const callState = await runToEnd(context, dialogue)
      expect(context.isCompleted(callState), "the result of the call", describeCallState(callState))
      expect(
        dialogue.questions.length === questionCount,
        "no prompt after the page was done",
        dialogue.questions.length,
      )
    },
  },
  {
    id: "flow-finished-for-one",
    title: "A question that one person finished stays open for another",
    level: "must",
    spec: {
      "2026-07-28": "client/elicitation#statefulness",
      "2025-11-25": "client/elicitation#statefulness",
    },
    async run(context) {
      context.requireSecondPerson()
      const firstQuestion = await context.askUrl()
      const secondQuestion = await context.askUrl({ person: "second" })
      await consent(context, firstQuestion)
      await context.finish(firstQuestion.link)
      const callState = await secondQuestion.dialogue.answer({ action: "accept" }, context.quietMs)
      expect(!context.isCompleted(callState), "the other person's call still waiting", describeCallState(callState))
    },
  },
]

/** Agrees to open the link. Skips the check when this consent already finishes the call. */
export async function consent(context: CheckContext, { dialogue, question, link }: LinkQuestion): Promise<ToolCall> {
  const { protocol = "", username } = URL.parse(link) ?? {}
  if (!/^https?:$/.test(protocol) || username !== "") return skip("the link cannot be opened as it is")
  const callState = await dialogue.answer({ action: "accept" }, context.quietMs)
  if (context.isCompleted(callState)) return skip("agreeing to open the link already finishes the call")
  if (dialogue.isCompletionReported(question))
    return skip("the completion is sent as soon as the person agrees to open the link")
  return dialogue
}

type LinkQuestion = Awaited<ReturnType<CheckContext["askUrl"]>>

/** Agrees to open the link, then retries a few times as a client would. `checkState` judges each state of the call. */
export async function acceptRepeatedly(
  context: CheckContext,
  dialogue: ToolCall,
  checkState: (callState: CallState) => void,
): Promise<void> {
  let callState = await dialogue.answer({ action: "accept" }, context.quietMs)
  checkState(callState)
  for (let round = 1; round < maxRounds && (callState.kind === "waiting" || callState.kind === "asked"); round++) {
    callState =
      callState.kind === "asked"
        ? await dialogue.answer({ action: "accept" }, context.quietMs)
        : await dialogue.continueCall(context.quietMs)
    checkState(callState)
  }
}

/** Continues until the call has ended. */
export async function runToEnd(context: CheckContext, dialogue: ToolCall): Promise<CallState> {
  let callState = dialogue.callState
  for (let round = 0; round < 10; round++) {
    if (callState.kind === "done" || callState.kind === "refused") return callState
    const isPrompt = callState.kind === "asked" && callState.channel !== "error"
    callState = isPrompt
      ? await dialogue.answer({ action: "accept" }, context.legMs)
      : await dialogue.continueCall(context.legMs)
  }
  return callState
}
