// The errors for a connection that cannot be used: each says what to do, and carries the state for programs to read.

import type { Elicitation, Outcome, Reason } from "@holdpoint/hub"
import { HoldpointError, isHoldpointError } from "@holdpoint/hub"
import type { Connection, Provider } from "@holdpoint/hub/internal"
import type { VaultParts } from "./parts.ts"

/**
 * `lost`: the owner has not been asked yet. `asked`: the question is open. Any other status is the question's outcome.
 */
export interface UnmetNeed {
  readonly status: "lost" | "asked" | Outcome["status"]
  readonly reason?: Reason
  /** The question to the owner, and the page where they can answer it. */
  readonly question?: { readonly id: string; readonly url: string }
}

/** Why a connection is missing, for errors of code `connection_needed`; undefined for all others. */
export function outcomeOf(error: unknown): UnmetNeed | undefined {
  if (!isHoldpointError(error) || error.code !== "connection_needed") return undefined
  const { cause } = error
  const isUnmetNeed = typeof cause === "object" && cause !== null && "status" in cause
  return isUnmetNeed ? (cause as UnmetNeed) : { status: "lost" }
}

export function connectionLost(
  { providers }: Pick<VaultParts, "providers">,
  connection: Connection | undefined,
): HoldpointError {
  if (connection === undefined || connection.status === "revoked")
    return new HoldpointError("connection_revoked", "This account was disconnected. Connect it again to use it.")
  const name = providers.get(connection.provider)?.name ?? connection.provider
  if (connection.status === "pending")
    return connectionNeeded(`The connection with ${name} has not been confirmed by its owner yet.`, { status: "lost" })
  const { reason } = connection
  return connectionNeeded(`Access to ${name} has ended${inParentheses(reason)}. Its owner has to allow it again.`, {
    status: "lost",
    ...(reason === undefined ? {} : { reason }),
  })
}

/** The error for a disabled account. The connection is kept, and works again once the account is enabled. */
export function accountDisabled({ name }: Provider, { account }: Connection): HoldpointError {
  const subject = account === undefined ? "The account" : `The account ${account.name ?? account.id}`
  const message =
    `${subject} is refused: ${name} reports that the account is disabled. Connecting it again does not help; an ` +
    "administrator there has to enable it."
  return new HoldpointError("provider_refused", message)
}

export function notConnected(provider: Provider, elicitation: Elicitation, outcome: Outcome): HoldpointError {
  const { name } = provider
  const reason = "reason" in outcome ? outcome.reason : undefined
  const words: Record<Outcome["status"], string> = {
    completed: `${name} is connected, but not as needed: fewer rights were granted, or another account was connected.`,
    declined: `The person declined to connect ${name}${inParentheses(reason)}.`,
    cancelled: `The question about connecting ${name} was dismissed${inParentheses(reason)}. You can ask again.`,
    expired: `${name} was not connected in time. Ask again when the person is available.`,
    failed: `Connecting ${name} did not work${inParentheses(reason)}. You can try again.`,
    unsupported: `No outlet could ask the person to connect ${name}. Add an outlet to the hub.`,
  }
  return connectionNeeded(words[outcome.status], {
    status: outcome.status,
    ...(reason === undefined ? {} : { reason }),
    ...questionOf(elicitation),
  })
}

export function ownerAsked(provider: Provider, elicitation: Elicitation): HoldpointError {
  const message = `${provider.name} has to be connected first. The person has been asked; try again once they have answered.`
  return connectionNeeded(message, { status: "asked", ...questionOf(elicitation) })
}

function questionOf(elicitation: Elicitation): Pick<UnmetNeed, "question"> {
  return elicitation.mode === "url" ? { question: { id: elicitation.id, url: elicitation.url } } : {}
}

const connectionNeeded = (message: string, cause: UnmetNeed): HoldpointError =>
  new HoldpointError("connection_needed", message, { cause })

const inParentheses = (reason: Reason | undefined): string => {
  const words = reason?.message ?? reason?.code
  return words === undefined ? "" : ` (${words.replace(/\.$/, "")})`
}
