// Shows a question in all outlets of this process at once, and withdraws it again. A failing outlet never loses the
// question; only when every outlet reports `unable` does the question end as unsupported.

import type { Elicitation } from "../core/elicitation.ts"
import { textProblem } from "../core/text.ts"
import type { Report, Work } from "../due/work.ts"
import type { Delivered, Outlet } from "../ports/outlet.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Store } from "../ports/store.ts"
import type { Trail } from "../ports/trail.ts"
import type { EndIfUnsupported } from "./deliveries/end-unsupported.ts"
import type { MoveUp } from "./deliveries/move-up.ts"
import type { LiveQuestion, LiveTable, Withdraw } from "./live-questions.ts"
import { notDelivered } from "./live-questions.ts"
import { outletEntry } from "./trail-entries.ts"

type ShowResult = Delivered | { readonly error: unknown }

/** Shows the question in the hub's outlets and in `extraOutlets`, except where it was shown before. */
export type Show = (elicitation: Elicitation, extraOutlets: readonly Outlet[]) => void

export interface ShowNeeds extends Pick<Work, "background"> {
  readonly outlets: readonly Outlet[]
  readonly store: Pick<Store, "get">
  readonly trail: Pick<Trail, "append">
  readonly runtime: Pick<Runtime, "now">
  readonly live: LiveTable
  readonly endIfUnsupported: EndIfUnsupported
  readonly moveUp: MoveUp
  /**
   * Whether the hub uses a ladder. Then the trail also records which outlets only list the question, because they do
   * not delay its next rung.
   */
  readonly hasLadder: () => boolean
  readonly withdraw: Withdraw
  readonly report: Report
}

/** Shows questions in the background, so that a slow outlet does not delay the caller of `ask`. */
export function createShow(needs: ShowNeeds): Show {
  return (elicitation, extraOutlets) => {
    const entry = needs.live.get(elicitation.id)
    if (entry === undefined) return
    const isFirstShow = entry.deliveredTo === notDelivered
    const outlets = [...needs.outlets, ...extraOutlets].filter((outlet) => !entry.deliveredTo.includes(outlet))
    if (outlets.length === 0 && !isFirstShow) return
    // Shares the hub's own list where there are no other outlets, so that 100,000 questions need no copies.
    entry.deliveredTo = isFirstShow && extraOutlets.length === 0 ? needs.outlets : entry.deliveredTo.concat(outlets)
    needs.background("showing a question", async () => {
      const results = await Promise.all(outlets.map((outlet) => showIn(needs, outlet, { elicitation, entry })))
      const isUnable = results.every((result) => "state" in result && result.state === "unable")
      // A later caller whose outlets are all unable must not end a question that earlier outlets may show.
      if (isUnable && isFirstShow) await needs.endIfUnsupported(elicitation)
      const isShown = results.some((result) => "state" in result && result.state === "shown")
      if (needs.hasLadder() && !isShown) await needs.moveUp(elicitation)
    })
  }
}

async function showIn(
  { store, trail, runtime, live, hasLadder, withdraw, report }: ShowNeeds,
  outlet: Outlet,
  { elicitation, entry }: { readonly elicitation: Elicitation; readonly entry: LiveQuestion },
): Promise<ShowResult> {
  const via = outlet.name
  try {
    const delivery = await outlet.deliver(elicitation)
    if (delivery.state === "listed") {
      if (hasLadder()) await trail.append(outletEntry(elicitation, "not_shown", { via, code: "listed" }, runtime.now()))
      return delivery
    }
    if (delivery.state === "unable") {
      const message = textProblem(delivery.why, 500) === undefined ? { message: delivery.why } : {}
      await trail.append(outletEntry(elicitation, "not_shown", { via, code: "unable", ...message }, runtime.now()))
      return delivery
    }
    // Uses concat, because an array built by spread reserves room for sixteen more elements.
    entry.shownBy = entry.shownBy.concat(outlet)
    await trail.append(outletEntry(elicitation, "shown", { via }, runtime.now()))
    // When the question was settled while the outlet was showing it, only this call can withdraw it.
    const settledQuestion = live.get(elicitation.id) === entry ? undefined : await store.get(elicitation.id)
    if (settledQuestion !== undefined) withdraw(settledQuestion, entry)
    return delivery
  } catch (error) {
    report(`showing a question in “${via}”`, error)
    await trail.append(outletEntry(elicitation, "not_shown", { via, code: "delivery_failed" }, runtime.now()))
    return { error: error }
  }
}

export function createWithdraw({ background }: Pick<Work, "background">): Withdraw {
  return (elicitation, entry) => {
    const outlets = entry.shownBy
    entry.shownBy = []
    for (const outlet of outlets) {
      background(`withdrawing a question from “${outlet.name}”`, () => outlet.withdraw(elicitation))
    }
  }
}
