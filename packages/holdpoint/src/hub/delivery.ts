// Showing a question in all outlets at once and taking it away again. A delivery that fails never loses the question;
// only when every outlet says that it cannot show it, it is closed as unsupported.

import type { Elicitation } from "../core/elicitation.ts"
import { textProblem } from "../core/text.ts"
import type { Delivery, Outlet } from "../ports/outlet.ts"
import { outletEntry } from "./entries.ts"
import type { HubParts } from "./hub.ts"
import type { Live } from "./live.ts"
import { nobody } from "./live.ts"
import { step } from "./steps.ts"

type Result = Delivery | { readonly failed: unknown }

/** Runs in the background: a slow outlet must not keep the asker from waiting. */
export function deliver(parts: HubParts, elicitation: Elicitation, more: readonly Outlet[]): void {
  const entry = parts.live.get(elicitation.id)
  if (entry === undefined) return
  const isFirst = entry.deliveredTo === nobody
  const outlets = [...parts.outlets, ...more].filter((outlet) => !entry.deliveredTo.includes(outlet))
  if (outlets.length === 0 && !isFirst) return
  // The hub's own list where it is the whole of it: a hundred thousand questions need no copies.
  entry.deliveredTo = isFirst && more.length === 0 ? parts.outlets : [...entry.deliveredTo, ...outlets]
  parts.background("delivering a question", async () => {
    const results = await Promise.all(outlets.map((outlet) => deliverTo(parts, outlet, elicitation, entry)))
    const unable = results.flatMap((result, index) =>
      "state" in result && result.state === "unable" ? [`${outlets[index]?.name}: ${result.why}`] : [],
    )
    // Who asks later and cannot show it does not take it from those who could.
    if (unable.length < outlets.length || !isFirst) return
    const message = outlets.length === 0 ? "No outlet is configured." : unable.join("; ")
    const isFit = textProblem(message, 1_000) === undefined
    await step(parts, elicitation.id, { type: "reject", reason: { code: "no_outlet", ...(isFit ? { message } : {}) } })
  })
}

async function deliverTo(parts: HubParts, outlet: Outlet, elicitation: Elicitation, entry: Live): Promise<Result> {
  const { runtime, storage } = parts
  const via = outlet.name
  try {
    const delivery = await outlet.deliver(elicitation)
    if (delivery.state === "listed") return delivery
    if (delivery.state === "unable") {
      await storage.trail.append(outletEntry(elicitation, "not_shown", { via, code: "unable" }, runtime.now()))
      return delivery
    }
    entry.shownBy = [...entry.shownBy, outlet]
    await storage.trail.append(outletEntry(elicitation, "shown", { via }, runtime.now()))
    // Settled while it was being shown: nobody else will take it away.
    if (parts.live.get(elicitation.id) !== entry) await withdrawSettled(parts, elicitation.id, entry)
    return delivery
  } catch (failed) {
    parts.report(`showing a question in “${via}”`, failed)
    await storage.trail.append(outletEntry(elicitation, "not_shown", { via, code: "delivery_failed" }, runtime.now()))
    return { failed }
  }
}

/** The hub closes: its prompts go, the question stays. */
export function withdrawOpen(parts: HubParts, id: string, entry: Live): void {
  parts.background("withdrawing an open question", async () => {
    const record = entry.record ?? (await parts.storage.store.get(id))
    if (record !== undefined) withdraw(parts, record, entry)
  })
}

async function withdrawSettled(parts: HubParts, id: string, entry: Live): Promise<void> {
  const settled = await parts.storage.store.get(id)
  if (settled !== undefined) withdraw(parts, settled, entry)
}

/** Takes the prompt away wherever this process has put it, once. */
export function withdraw(parts: HubParts, elicitation: Elicitation, entry: Live): void {
  const outlets = entry.shownBy
  entry.shownBy = []
  for (const outlet of outlets) {
    parts.background(`withdrawing a question from “${outlet.name}”`, () => outlet.withdraw(elicitation))
  }
}
