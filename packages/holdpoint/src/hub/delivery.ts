// Showing a question in all outlets at once and taking it away again. A delivery that fails never loses the question;
// only when every outlet says that it cannot show it, it is closed as unsupported.

import type { Elicitation } from "../core/elicitation.ts"
import { textProblem } from "../core/text.ts"
import type { Delivery, Outlet } from "../ports/outlet.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Store } from "../ports/store.ts"
import type { Trail } from "../ports/trail.ts"
import { outletEntry } from "./entries.ts"
import type { Live, LiveTable } from "./live.ts"
import { nobody } from "./live.ts"
import type { Step } from "./steps.ts"
import type { Report, Work } from "./work.ts"

type Result = Delivery | { readonly failed: unknown }

/** Shows it in the hub's outlets and in these, where it was not shown before. */
export type Deliver = (elicitation: Elicitation, more: readonly Outlet[]) => void

/** Takes the prompt away wherever this process has put it, once. */
export type Withdraw = (elicitation: Elicitation, entry: Live) => void

export interface DeliverNeeds extends Pick<Work, "background"> {
  readonly outlets: readonly Outlet[]
  readonly store: Pick<Store, "get">
  readonly trail: Pick<Trail, "append">
  readonly runtime: Pick<Runtime, "now">
  readonly live: LiveTable
  readonly step: Step
  readonly withdraw: Withdraw
  readonly report: Report
}

/** Runs in the background: a slow outlet must not keep the asker from waiting. */
export function createDeliver(needs: DeliverNeeds): Deliver {
  return (elicitation, more) => {
    const entry = needs.live.get(elicitation.id)
    if (entry === undefined) return
    const isFirst = entry.deliveredTo === nobody
    const outlets = [...needs.outlets, ...more].filter((outlet) => !entry.deliveredTo.includes(outlet))
    if (outlets.length === 0 && !isFirst) return
    // The hub's own list where it is the whole of it: a hundred thousand questions need no copies.
    entry.deliveredTo = isFirst && more.length === 0 ? needs.outlets : [...entry.deliveredTo, ...outlets]
    needs.background("delivering a question", async () => {
      const results = await Promise.all(outlets.map((outlet) => deliverTo(needs, outlet, { elicitation, entry })))
      const unable = results.flatMap((result, index) =>
        "state" in result && result.state === "unable" ? [`${outlets[index]?.name}: ${result.why}`] : [],
      )
      // Who asks later and cannot show it does not take it from those who could.
      if (unable.length < outlets.length || !isFirst) return
      const message = outlets.length === 0 ? "No outlet is configured." : unable.join("; ")
      const isFit = textProblem(message, 1_000) === undefined
      await needs.step(elicitation.id, {
        type: "reject",
        reason: { code: "no_outlet", ...(isFit ? { message } : {}) },
      })
    })
  }
}

async function deliverTo(
  { store, trail, runtime, live, withdraw, report }: DeliverNeeds,
  outlet: Outlet,
  { elicitation, entry }: { readonly elicitation: Elicitation; readonly entry: Live },
): Promise<Result> {
  const via = outlet.name
  try {
    const delivery = await outlet.deliver(elicitation)
    if (delivery.state === "listed") return delivery
    if (delivery.state === "unable") {
      await trail.append(outletEntry(elicitation, "not_shown", { via, code: "unable" }, runtime.now()))
      return delivery
    }
    entry.shownBy = [...entry.shownBy, outlet]
    await trail.append(outletEntry(elicitation, "shown", { via }, runtime.now()))
    // Settled while it was being shown: only this call can take it away.
    const settled = live.get(elicitation.id) === entry ? undefined : await store.get(elicitation.id)
    if (settled !== undefined) withdraw(settled, entry)
    return delivery
  } catch (failed) {
    report(`showing a question in “${via}”`, failed)
    await trail.append(outletEntry(elicitation, "not_shown", { via, code: "delivery_failed" }, runtime.now()))
    return { failed }
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
