// What was used once cannot be used again.

import { isDeepStrictEqual } from "node:util"
import type { CallState } from "../call-state.ts"
import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import { present, presentedBy, refusesState } from "../presenting.ts"

const section = { "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow" }

export const replay: readonly UrlModeCheck[] = [
  {
    id: "replay-after-result",
    title: "A repeated retry has no second effect: it is refused, or gets the same result",
    level: "should",
    spec: section,
    async run(context) {
      const asked = await context.askForm()
      const shown = presentedBy(context, asked, "form")
      const callState = await present(context, shown)
      if (callState.kind !== "done") return skip(`a filled form does not end the call: ${describeCallState(callState)}`)
      const again = await present(context, shown)
      expect(isNothingNew(again, callState), "a JSON-RPC error, or the same result", describeCallState(again))
    },
  },
  {
    id: "replay-after-decline",
    title: "A link that was declined cannot be accepted afterwards with the same state",
    level: "should",
    spec: section,
    async run(context) {
      const asked = await context.askUrl()
      const shown = presentedBy(context, asked, "url")
      const callState = await asked.dialogue.answer({ action: "decline" })
      if (callState.kind === "asked" || callState.kind === "held")
        return skip(`declining does not end the call: ${describeCallState(callState)}`)
      await refusesState(context, shown)
    },
  },
  {
    id: "replay-no-second-effect",
    title: "Two simultaneous retries with the same state do not get two results",
    level: "should",
    spec: section,
    async run(context) {
      const asked = await context.askForm()
      const shown = presentedBy(context, asked, "form")
      const callStates = await Promise.all([present(context, shown), present(context, shown)])
      const through = callStates.flatMap((callState) =>
        callState.kind === "done" && callState.result.isError !== true ? [callState] : [],
      )
      const isOne = through.every(({ result }) => isDeepStrictEqual(result, through[0]?.result))
      expect(isOne, "one result", callStates.map(describeCallState).join(" and "))
    },
  },
]

/** A client or a proxy that never received the result may repeat its retry. */
const isNothingNew = (again: CallState, before: Extract<CallState, { kind: "done" }>): boolean =>
  again.kind === "refused"
    ? again.code !== undefined
    : again.kind === "done" && isDeepStrictEqual(again.result, before.result)
