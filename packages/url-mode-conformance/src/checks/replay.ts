// What was used up stays used up.

import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import { present, presentedBy, refusesState } from "../presenting.ts"
import { describeTurn } from "../turn.ts"

const section = { "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow" }

export const replay: readonly UrlModeCheck[] = [
  {
    id: "replay-after-result",
    title: "A retry that had its result is refused when it comes once more",
    level: "should",
    spec: section,
    async run(stage) {
      const asked = await stage.askForm()
      const shown = presentedBy(stage, asked, "form")
      const turn = await present(stage, shown)
      if (turn.kind !== "done") return skip(`a filled form does not end the call: ${describeTurn(turn)}`)
      await refusesState(stage, shown)
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
    title: "Two retries with the same state at once do not both get a result",
    level: "should",
    spec: section,
    async run(stage) {
      const asked = await stage.askForm()
      const shown = presentedBy(stage, asked, "form")
      const turns = await Promise.all([present(stage, shown), present(stage, shown)])
      const through = turns.filter((turn) => turn.kind === "done" && turn.result.isError !== true)
      expect(through.length <= 1, "one result", turns.map(describeTurn).join(" and "))
    },
  },
]
