// A question that asks a person to open a foreign page. The question's link leads to a page of this server, which
// verifies the person and shows the address. The address is read only from the stored question.

import { type Addresses, paths } from "./addresses.ts"
import type { AskingClient, Context, Elicitation, KeyReuse, Requester } from "./elicitation.ts"
import type { Audience, PrincipalId } from "./principal.ts"
import type { Draft } from "./question.ts"
import { toSafeUrl } from "./question.ts"
import { checkUrl } from "./url.ts"

/** A question that sends a person to a foreign page, through a page of this server. */
export interface VisitAsked {
  readonly message: string
  /** The address to open after a Yes. May be a function of the question's id. */
  readonly address: string | ((id: string) => string)
  readonly audience: PrincipalId | Audience
  readonly requester: Requester
  readonly client?: AskingClient
  readonly parent?: string
  readonly key?: string
  readonly keyReuse?: KeyReuse
  readonly lifetimeMs?: number
  readonly context?: Context
  /** Where the person returns to: an id of the configured return targets, never an address. */
  readonly returnTo?: string
}

/**
 * Drafts a question for `hub.ask` that sends a person to a foreign page. The asker completes the question once the
 * person is done there. Throws `unsafe_url` for an address to which no person may be sent.
 */
export function visitDraft(visit: VisitAsked, addresses: Addresses): Draft {
  const { address, context = { trigger: "mcp_elicitation" }, returnTo, ...rest } = visit
  const target = returnTo === undefined ? {} : { returnTo }
  const fixedAddress = typeof address === "string" ? toSafeUrl(address) : undefined
  const addressFor = (id: string): string =>
    fixedAddress ?? toSafeUrl(typeof address === "string" ? address : address(id))
  return {
    ...rest,
    url: (id) => addresses.to(paths.visit, id),
    context: (id) => ({ ...context, address: addressFor(id), ...target }),
  }
}

/** The foreign address to which the question leads. Undefined when the question was not created by `visitDraft`. */
export function visitedAddress(elicitation: Elicitation, addresses: Addresses): string | undefined {
  const { id, mode, context } = elicitation
  if (mode !== "url" || elicitation.url !== addresses.to(paths.visit, id) || typeof context.address !== "string") return
  const urlCheck = checkUrl(context.address)
  return urlCheck.ok ? urlCheck.url : undefined
}
