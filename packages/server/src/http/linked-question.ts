// Finds the question of a link. The addressee learns its state; anyone else gets the same page after the same number of
// reads, whether the link is unknown, another person's, expired or used.

import type { Elicitation, Refusal } from "@holdpoint/hub"
import type { Guest } from "./guest.ts"
import { refuseLink } from "./refusals.ts"
import type { Site, Visit } from "./site.ts"

/** A question that this person may see: open, or ended with the reason. */
export type LinkedQuestion = { readonly guest: Guest } & (
  | { readonly kind: "open"; readonly elicitation: Elicitation }
  | { readonly kind: "over"; readonly elicitation: Elicitation; readonly refusal: Refusal }
)

export interface LinkedPage {
  readonly page: "connect" | "visit"
  /** Whether this page may show the question to this addressee. */
  readonly isFor: (site: Site, guest: Guest, elicitation: Elicitation) => boolean
}

export async function findLinked(visit: Visit, { page, isFor }: LinkedPage): Promise<LinkedQuestion | Response> {
  const { site, request, part } = visit
  const id = part("id")
  const guest = await site.gate.enter(request, `${page}:${id}`)
  if (guest instanceof Response) return guest
  const result = await site.hub.open(id, { by: guest.principal })
  if (result.ok) {
    const { elicitation } = result
    return isFor(site, guest, elicitation) ? { kind: "open", guest, elicitation } : refuseLink()
  }
  const { refusal } = result
  if (refusal.code === "not_found" || refusal.code === "not_addressee" || refusal.code === "wrong_mode") {
    return refuseLink()
  }
  const elicitation = await site.hub.get(id)
  if (elicitation === undefined || !isFor(site, guest, elicitation)) return refuseLink()
  return { kind: "over", guest, elicitation, refusal }
}
