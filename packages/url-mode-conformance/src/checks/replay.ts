// What was used once cannot be used again.

import { isDeepStrictEqual } from "node:util"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import { present, presentedBy, refusesState } from "../presenting.ts"
import type { Turn } from "../turn.ts"
import { describeTurn } from "../turn.ts"

const section = { "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow" }

export const replay: readonly UrlModeCheck[] = [
  {
    id: "replay-after-result",
    title: "A repeated retry has no second effect: it is refused, or gets the same result",
    level: "should",
    spec: section,
    async run(stage) {
      const asked = await stage.askForm()
      const shown = presentedBy(stage, asked, "form")
      const turn = await present(stage, shown)
      if (turn.kind !== "done") return skip(`a filled form does not end the call: ${describeTurn(turn)}`)
      const again = await present(stage, shown)
      expect(isNothingNew(again, turn), "a JSON-RPC error, or the same result", describeTurn(again))
    },
  },
  {
    id: "replay-after-decline",
    title: "A link that was declined cannot be accepted afterwards with the same state",
    level: "should",
    spec: section,
    async run(stage) {
      const asked = await stage.askUrl()
      const shown = presentedBy(stage, asked, "url")
      const turn = await asked.dialogue.answer({ action: "decline" })
      if (turn.kind === "asked" || turn.kind === "held")
        return skip(`declining does not end the call: ${describeTurn(turn)}`)
      await refusesState(stage, shown)
    },
  },
  {
    id: "replay-no-second-effect",
    title: "Two simultaneous retries with the same state do not get two results",
    level: "should",
    spec: section,
    async run(stage) {
      const asked = await stage.askForm()
      const shown = presentedBy(stage, asked, "form")
      const turns = await Promise.all([present(stage, shown), present(stage, shown)])
      const through = turns.flatMap((turn) => (turn.kind === "done" && turn.result.isError !== true ? [turn] : []))
      const isOne = through.every(({ result }) => isDeepStrictEqual(result, through[0]?.result))
      expect(isOne, "one result", turns.map(describeTurn).join(" and "))
    },
  },
]

/** A client or a proxy that never received the result may repeat its retry. */
const isNothingNew = (again: Turn, before: Extract<Turn, { kind: "done" }>): boolean =>
  again.kind === "refused"
    ? again.code !== undefined
    : again.kind === "done" && isDeepStrictEqual(again.result, before.result)
