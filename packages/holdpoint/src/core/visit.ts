// A page of somebody else that a person is asked to open. The question leads to our own page, which verifies the person
// and shows the address; the address itself is kept with the question and comes from nowhere else.

import { type Addresses, paths } from "./addresses.ts"
import type { AskingClient, Context, Elicitation, KeyReuse, Requester } from "./elicitation.ts"
import type { Audience, PrincipalId } from "./principal.ts"
import type { Draft } from "./question.ts"
import { toSafeUrl } from "./question.ts"
import { checkUrl } from "./url.ts"

export interface VisitAsked {
  readonly message: string
  /** Where the person goes once they have said yes. May be made from the question's id. */
  readonly address: string | ((id: string) => string)
  readonly audience: PrincipalId | Audience
  readonly requester: Requester
  readonly client?: AskingClient
  readonly parent?: string
  readonly key?: string
  readonly keyReuse?: KeyReuse
  readonly lifetimeMs?: number
  readonly context?: Context
  /** Where the person goes afterwards: an id that the pages know, never an address. */
  readonly returnTo?: string
}

/** Throws `unsafe_url` for an address that nobody may be sent to. Whoever asks completes it once it is done there. */
export function visitDraft(asked: VisitAsked, addresses: Addresses): Draft {
  const { address, context = { trigger: "mcp_elicitation" }, returnTo, ...rest } = asked
  const returning = returnTo === undefined ? {} : { returnTo }
  const known = typeof address === "string" ? toSafeUrl(address) : undefined
  const addressFor = (id: string): string => known ?? toSafeUrl(typeof address === "string" ? address : address(id))
  return {
    ...rest,
    url: (id) => addresses.to(paths.visit, id),
    context: (id) => ({ ...context, address: addressFor(id), ...returning }),
  }
}

/** Undefined when the question is not about a page of somebody else, or was not written by `visitDraft`. */
export function visitedAddress(elicitation: Elicitation, addresses: Addresses): string | undefined {
  const { id, mode, context } = elicitation
  if (mode !== "url" || elicitation.url !== addresses.to(paths.visit, id) || typeof context.address !== "string") return
  const judged = checkUrl(context.address)
  return judged.ok ? judged.url : undefined
}
