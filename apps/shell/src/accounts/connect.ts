// Asks for the account that a script wants, and hands it over. A No counts for the whole call.

import { createHash } from "node:crypto"
import { isHoldpointError } from "@holdpoint/sdk"
import type { Ask } from "@holdpoint/sdk/asking"
import { isRefusal } from "@holdpoint/sdk/asking"
import type { Answer } from "../answer.ts"
import { invalid, toAnswer, toRefusedAnswer, unsupported } from "../answer.ts"
import type { ScriptQuestion } from "../questions.ts"
import type { ScriptRequest } from "../request.ts"
import type { Accounts } from "./accounts.ts"

type ConnectionRequest = Extract<ScriptRequest, { readonly mode: "connection" }>

/** Asks for accounts in one run of a call. Questions for the same account share one consent. */
export type ConnectAccounts = (
  question: ScriptQuestion,
  request: ConnectionRequest,
  lifetimeMs: number,
) => Promise<Answer>

export function createConnectAccounts(ask: Ask, accounts: Accounts): ConnectAccounts {
  const asked = new Map<string, Promise<Answer>>()

  const connect = async (name: string, request: ConnectionRequest, lifetimeMs: number): Promise<Answer> => {
    const { provider, scopes, message } = request
    const own = ask.scope(`account ${name} ${accounts.given(name)}`)
    try {
      const handle = await own.connection(provider, {
        lifetimeMs,
        ...(scopes.length === 0 ? {} : { scopes }),
        ...(message === "" ? {} : { message }),
      })
      const answer = await accounts.give(name, handle)
      asked.delete(name)
      return answer
    } catch (error) {
      const answer = toUnmet(request, error)
      if (answer === undefined) throw error
      return answer
    }
  }

  return ({ withdrawn }, request, lifetimeMs) => {
    const name = nameOf(request)
    const answer = asked.get(name) ?? connect(name, request, lifetimeMs)
    asked.set(name, answer)
    // The consent stays open: the person may be in the middle of it, and the account serves the next call.
    return Promise.race([answer, whenAborted(withdrawn)])
  }
}

/** Undefined for errors that end the call. */
function toUnmet(request: ConnectionRequest, error: unknown): Answer | undefined {
  if (isRefusal(error)) {
    const { outcome: status, reason } = error
    return toAnswer(request, { status, ...(reason === undefined ? {} : { reason }) })
  }
  if (!isHoldpointError(error)) return undefined
  const { code, message } = error
  switch (code) {
    case "invalid_config":
      return unsupported("This server has no accounts. Its operator can list providers in the settings.")
    case "caller_unknown":
      return unsupported(message)
    case "unknown_provider":
    case "invalid_request":
      return invalid(message)
    default:
      return toRefusedAnswer(error)
  }
}

function nameOf({ provider, scopes }: ConnectionRequest): string {
  const text = JSON.stringify([provider, [...scopes].sort()])
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}

const takenBack: Answer = { action: "cancel", content: null, reason: "withdrawn" }

const whenAborted = (signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(takenBack)
    signal.addEventListener("abort", () => resolve(takenBack), { once: true })
  })
