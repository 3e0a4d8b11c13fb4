// From a question to a result: consent is not completion, one prompt is enough, and every wait ends.

import type { CallState } from "../call-state.ts"
import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { Dialogue } from "../dialogue.ts"
import type { Stage } from "../stage.ts"
import { pushed } from "./answers.ts"

const urlMode = "client/elicitation#url-mode-elicitation-requests"
const messageFlow = "client/elicitation#url-mode-flow"
const since2025 = { "2026-07-28": urlMode, "2025-11-25": urlMode }
const rounds = 5

export const flow: readonly UrlModeCheck[] = [
  {
    id: "flow-accept-is-consent",
    title: "Agreeing to open a link does not finish the call",
    level: "must",
    spec: since2025,
    async run(stage) {
      const { dialogue } = await stage.askUrl()
      await acceptAndLook(stage, dialogue, (callState) => {
        expect(!stage.isCompleted(callState), "a call that waits until the page is done", describeCallState(callState))
      })
    },
  },
  {
    id: "flow-one-prompt",
    title: "A person who agreed to open a link is not asked again while the page is open",
    level: "should",
    spec: { "2026-07-28": messageFlow, "2025-11-25": messageFlow },
    async run(stage) {
      const { dialogue } = pushed(await stage.askUrl())
      await acceptAndLook(stage, dialogue, () => {
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
    async run(stage) {
      const first = await stage.askUrl()
      const second = await stage.call(stage.tool("url"))
      const most = first.callState.questions.length
      expect(second.questions.length <= most, `at most ${most} questions`, `${second.questions.length} questions`)
      expect(
        first.dialogue.questions.length === most,
        "no more questions in the first call",
        first.dialogue.questions.length,
      )
    },
  },
  {
    id: "flow-leg",
    title: "A retry is answered before the client gives up",
    level: "should",
    spec: { "2026-07-28": messageFlow },
    async run(stage) {
      const { dialogue } = await stage.askUrl()
      const callState = await dialogue.answer({ action: "accept" }, stage.legMs)
      expect(callState.kind !== "held", `an answer within ${stage.legMs / 1_000} s`, "none")
    },
  },
  {
    id: "flow-unanswered",
    title: "A retry without an answer does not finish the call",
    level: "must",
    spec: { "2026-07-28": "basic/patterns/mrtr#error-handling" },
    async run(stage) {
      const { dialogue } = await stage.askUrl()
      const callState = await dialogue.goOn(stage.quietMs)
      expect(!stage.isCompleted(callState), "the question again, or no answer yet", describeCallState(callState))
    },
  },
  {
    id: "flow-finished",
    title: "When the page is done, the call that asked gets its result without another prompt",
    level: "should",
    spec: { "2026-07-28": messageFlow, "2025-11-25": messageFlow },
    async run(stage) {
      const asked = await stage.askUrl()
      const dialogue = await consent(stage, asked)
      const before = dialogue.questions.length
      await stage.finish(asked.link)
      const callState = await until(stage, dialogue)
      expect(stage.isCompleted(callState), "the result of the call", describeCallState(callState))
      expect(dialogue.questions.length === before, "no prompt after the page was done", dialogue.questions.length)
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
    async run(stage) {
      stage.needsSecond()
      const first = await stage.askUrl()
      const second = await stage.askUrl({ who: "second" })
      await consent(stage, first)
      await stage.finish(first.link)
      const callState = await second.dialogue.answer({ action: "accept" }, stage.quietMs)
      expect(!stage.isCompleted(callState), "the other person's call still waiting", describeCallState(callState))
    },
  },
]

/** Agrees to open the link. Skips the check when that alone finishes the call. */
export async function consent(stage: Stage, { dialogue, question, link }: LinkAsked): Promise<Dialogue> {
  const { protocol = "", username } = URL.parse(link) ?? {}
  if (!/^https?:$/.test(protocol) || username !== "") return skip("the link cannot be opened as it is")
  const callState = await dialogue.answer({ action: "accept" }, stage.quietMs)
  if (stage.isCompleted(callState)) return skip("agreeing to open the link already finishes the call")
  if (dialogue.isTold(question)) return skip("the completion is sent as soon as the person agrees to open the link")
  return dialogue
}

type LinkAsked = Awaited<ReturnType<Stage["askUrl"]>>

/** Agrees, and continues for some rounds, as a client would. */
export async function acceptAndLook(
  stage: Stage,
  dialogue: Dialogue,
  judge: (callState: CallState) => void,
): Promise<void> {
  let callState = await dialogue.answer({ action: "accept" }, stage.quietMs)
  judge(callState)
  for (let round = 1; round < rounds && (callState.kind === "waiting" || callState.kind === "asked"); round++) {
    callState =
      callState.kind === "asked"
        ? await dialogue.answer({ action: "accept" }, stage.quietMs)
        : await dialogue.goOn(stage.quietMs)
    judge(callState)
  }
}

/** Continues until the call has ended. */
export async function until(stage: Stage, dialogue: Dialogue): Promise<CallState> {
  let callState = dialogue.callState
  for (let round = 0; round < 10; round++) {
    if (callState.kind === "done" || callState.kind === "refused") return callState
    const isPrompt = callState.kind === "asked" && callState.channel !== "error"
    callState = isPrompt ? await dialogue.answer({ action: "accept" }, stage.legMs) : await dialogue.goOn(stage.legMs)
  }
  return callState
}
