// A client cannot use the same requestState twice to different effect.

import { isDeepStrictEqual } from "node:util"
import type { CallState } from "../call-state.ts"
import { describeCallState } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import { acceptingRetry, expectRefusal, sendRetry } from "../state-retry.ts"

const section = { "2026-07-28": "basic/patterns/mrtr#server-requirements-basic-workflow" }

export const replay: readonly UrlModeCheck[] = [
  {
    id: "replay-after-result",
    title: "A repeated retry has no second effect: it is refused, or gets the same result",
    level: "should",
    spec: section,
    async run(context) {
      const askedQuestion = await context.askForm()
      const retry = acceptingRetry(context, askedQuestion, "form")
      const callState = await sendRetry(context, retry)
      if (callState.kind !== "done") return skip(`a filled form does not end the call: ${describeCallState(callState)}`)
      const repeatedState = await sendRetry(context, retry)
      expect(
        isSameOrRefused(repeatedState, callState),
        "a JSON-RPC error, or the same result",
        describeCallState(repeatedState),
      )
    },
  },
  {
    id: "replay-after-decline",
    title: "A link that was declined cannot be accepted afterwards with the same state",
    level: "should",
    spec: section,
    async run(context) {
      const askedQuestion = await context.askUrl()
      const retry = acceptingRetry(context, askedQuestion, "url")
      const callState = await askedQuestion.dialogue.answer({ action: "decline" })
      if (callState.kind === "asked" || callState.kind === "held")
        return skip(`declining does not end the call: ${describeCallState(callState)}`)
      await expectRefusal(context, retry)
    },
  },
  {
    id: "replay-no-second-effect",
    title: "Two simultaneous retries with the same state do not get two results",
    level: "should",
    spec: section,
    async run(context) {
      const askedQuestion = await context.askForm()
      const retry = acceptingRetry(context, askedQuestion, "form")
      const callStates = await Promise.all([sendRetry(context, retry), sendRetry(context, retry)])
      const results = callStates.flatMap((callState) =>
        callState.kind === "done" && callState.result.isError !== true ? [callState] : [],
      )
      const hasOneResult = results.every(({ result }) => isDeepStrictEqual(result, results[0]?.result))
      expect(hasOneResult, "one result", callStates.map(describeCallState).join(" and "))
    },
  },
]

/** A client or proxy that lost the result may repeat a retry: the server returns the same result, or an error. */
const isSameOrRefused = (repeatedState: CallState, firstState: Extract<CallState, { kind: "done" }>): boolean =>
  repeatedState.kind === "refused"
    ? repeatedState.code !== undefined
    : repeatedState.kind === "done" && isDeepStrictEqual(repeatedState.result, firstState.result)
