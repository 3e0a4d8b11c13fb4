// Confirms or rejects, as the person decides, an account that differs from before or may not be the person's own.
// Before the decision, the new account is not used and the old connection is unchanged.

import type { Elicitation } from "@holdpoint/hub"
import type { ConsentParts, Visitor } from "./consent.ts"
import { finish } from "./finish.ts"
import { failAndDiscard, flowsOf, move } from "./flows.ts"

export type ConfirmResult = { readonly kind: "settled" } | { readonly kind: "nothing_to_confirm" }

export async function confirm(
  parts: ConsentParts,
  elicitation: Elicitation,
  visitor: Visitor,
  isAccountTheirs: boolean,
): Promise<ConfirmResult> {
  const flow = (await flowsOf(parts, elicitation, visitor)).find(({ status }) => status === "confirming")
  if (flow === undefined) return { kind: "nothing_to_confirm" }
  if (!isAccountTheirs) {
    await failAndDiscard(parts, flow, { code: "other_account" })
    return { kind: "settled" }
  }
  const dueAt = parts.tools.runtime.now() + parts.times.abandonedMs
  const exchangedFlow = await move(parts, flow, { type: "confirm", dueAt })
  if (exchangedFlow !== undefined) await finish(parts, exchangedFlow)
  return { kind: "settled" }
}
