// Asks the person for the account that a script requests, and hands the account to the script. A No holds for the whole
// call.

import { createHash } from "node:crypto"
import type { Ask } from "@holdpoint/calls"
import { isRefusal } from "@holdpoint/calls"
import { isHoldpointError } from "@holdpoint/hub"
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
  const answers = new Map<string, Promise<Answer>>()

  const connect = async (name: string, request: ConnectionRequest, lifetimeMs: number): Promise<Answer> => {
    const { provider, scopes, message } = request
    const scopedAsk = ask.scope(`account ${name} ${accounts.timesGiven(name)}`)
    try {
      const handle = await scopedAsk.connection(provider, {
        lifetimeMs,
        ...(scopes.length === 0 ? {} : { scopes }),
        ...(message === "" ? {} : { message }),
      })
      const answer = await accounts.give(name, handle)
      answers.delete(name)
      return answer
    } catch (error) {
      const answer = toFailureAnswer(request, error)
      if (answer === undefined) throw error
      return answer
    }
  }

  return ({ withdrawnSignal }, request, lifetimeMs) => {
    const name = nameOf(request)
    const answer = answers.get(name) ?? connect(name, request, lifetimeMs)
    answers.set(name, answer)
    // A withdrawn question leaves its consent open: the person may be in the middle of it, and the next call can use the
    // account.
    return Promise.race([answer, whenAborted(withdrawnSignal)])
  }
}

/** Undefined for errors that end the call. */
function toFailureAnswer(request: ConnectionRequest, error: unknown): Answer | undefined {
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

const withdrawnAnswer: Answer = { action: "cancel", content: null, reason: "withdrawn" }

const whenAborted = (signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(withdrawnAnswer)
    signal.addEventListener("abort", () => resolve(withdrawnAnswer), { once: true })
  })
