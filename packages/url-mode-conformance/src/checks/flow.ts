// From a question to a result: consent is not completion, one prompt is enough, and every wait ends.

import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { Dialogue } from "../dialogue.ts"
import type { Stage } from "../stage.ts"
import type { Turn } from "../turn.ts"
import { describeTurn } from "../turn.ts"
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
      await acceptAndLook(stage, dialogue, (turn) => {
        expect(!stage.isThrough(turn), "a call that waits until the page is done", describeTurn(turn))
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
      const most = first.turn.questions.length
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
      const turn = await dialogue.answer({ action: "accept" }, stage.legMs)
      expect(turn.kind !== "held", `an answer within ${stage.legMs / 1_000} s`, "none")
    },
  },
  {
    id: "flow-unanswered",
    title: "A retry without an answer does not finish the call",
    level: "must",
    spec: { "2026-07-28": "basic/patterns/mrtr#error-handling" },
    async run(stage) {
      const { dialogue } = await stage.askUrl()
      const turn = await dialogue.goOn(stage.quietMs)
      expect(!stage.isThrough(turn), "the question again, or no answer yet", describeTurn(turn))
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
      const turn = await until(stage, dialogue)
      expect(stage.isThrough(turn), "the result of the call", describeTurn(turn))
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
      const turn = await second.dialogue.answer({ action: "accept" }, stage.quietMs)
      expect(!stage.isThrough(turn), "the other person's call still waiting", describeTurn(turn))
    },
  },
]

/** Agrees to open the link. Skips the check when that alone finishes the call. */
export async function consent(stage: Stage, { dialogue, question, link }: LinkAsked): Promise<Dialogue> {
  const { protocol = "", username } = URL.parse(link) ?? {}
  if (!/^https?:$/.test(protocol) || username !== "") return skip("the link cannot be opened as it is")
  const turn = await dialogue.answer({ action: "accept" }, stage.quietMs)
  if (stage.isThrough(turn)) return skip("agreeing to open the link already finishes the call")
  if (dialogue.isTold(question)) return skip("the completion is sent as soon as the person agrees to open the link")
  return dialogue
}

type LinkAsked = Awaited<ReturnType<Stage["askUrl"]>>

/** Agrees, and continues for some rounds, as a client would. */
export async function acceptAndLook(stage: Stage, dialogue: Dialogue, judge: (turn: Turn) => void): Promise<void> {
  let turn = await dialogue.answer({ action: "accept" }, stage.quietMs)
  judge(turn)
  for (let round = 1; round < rounds && (turn.kind === "waiting" || turn.kind === "asked"); round++) {
    turn =
      turn.kind === "asked"
        ? await dialogue.answer({ action: "accept" }, stage.quietMs)
        : await dialogue.goOn(stage.quietMs)
    judge(turn)
  }
}

/** Continues until the call has ended. */
export async function until(stage: Stage, dialogue: Dialogue): Promise<Turn> {
  let turn = dialogue.turn
  for (let round = 0; round < 10; round++) {
    if (turn.kind === "done" || turn.kind === "refused") return turn
    const isPrompt = turn.kind === "asked" && turn.way !== "error"
    turn = isPrompt ? await dialogue.answer({ action: "accept" }, stage.legMs) : await dialogue.goOn(stage.legMs)
  }
  return turn
}
