// Finds the caller's account at a provider, and asks the person to connect an account when there is none.

import type { Outcome, Principal } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Connection, ConnectionHandle, Need } from "@holdpoint/hub/internal"
import { toOwner } from "@holdpoint/hub/internal"
import { digestOf } from "./digest.ts"
import { keyWithin } from "./key.ts"
import { applyLateNo, isNo } from "./late-no.ts"
import { assertOutsideEffects } from "./once.ts"
import type { OpenCall } from "./open-call.ts"
import { askQuestion } from "./prompting.ts"
import type { QuestionOptions } from "./question.ts"
import { traceOf } from "./question.ts"
import { toRefusal } from "./refusal.ts"
import type { Run, Suspended } from "./run.ts"
import { suspended } from "./run.ts"

export interface ConnectionOptions extends QuestionOptions {
  readonly scopes?: readonly string[]
  /**
   * Optional scopes that the person may grant at the same time. Shown only to people who have not connected an account
   * at this provider yet.
   */
  readonly offers?: readonly string[]
  /** The id of one account at the provider, for people who have several. */
  readonly account?: string
  /** Why the tool needs the account, shown to the person. */
  readonly message?: string
}

export interface ConnectionRequest extends ConnectionOptions {
  readonly provider: string
  /** The key prefix of the handler that asks. */
  readonly scope: string
}

export async function connect(run: Run, request: ConnectionRequest): Promise<ConnectionHandle | Suspended> {
  const { provider, scopes, account, scope } = request
  const { vault } = run.asking
  const { caller } = run.asker
  if (vault === undefined)
    throw new HoldpointError(
      "invalid_config",
      "ask.connection needs a vault: give `vault` to createMcp, or to createAsking in your own carrier.",
    )
  if (caller === undefined)
    throw new HoldpointError(
      "caller_unknown",
      "An account belongs to a person, but the caller is unknown. Serve this with authentication, or in local mode.",
    )
  assertOutsideEffects(run, provider)
  const need = needOf(run, caller, request)
  // If the account is lost later in the call, using it throws, and the handler runs again to ask for the account.
  const findConnection = () => vault.find(need, { whenLost: "throw" })
  const key = keyWithin(scope, `connection ${provider}${account === undefined ? "" : ` ${account}`}`)
  const existingHandle = await findConnection()
  if (existingHandle !== undefined && !(await isRefused(run, key))) return existingHandle
  const outcome = await askQuestion(run, {
    key,
    mode: "url",
    digest: digestOf([provider, scopes ?? [], account]),
    options: request,
    isOptional: true,
    isShared: true,
    // An account that was connected with too few scopes still counts as the result of the question.
    isLost: async () =>
      !(await vault.list(need.owner)).some((connection) => connection.provider === provider && isActive(connection)),
    ask: (call, outlets) => vault.ask({ ...need, ...toolOf(run, call, key) }, { outlets, ...traceOf(run) }),
  })
  if (outcome === suspended) return suspended
  const handle = isNo(outcome) ? undefined : await findConnection()
  if (handle !== undefined) return handle
  throw connectionRefusal(key, outcome)
}

/** Whether the person said No to this account in this call, at once or after a Yes. */
async function isRefused(run: Run, key: string): Promise<boolean> {
  const entry = (await run.call)?.journal.get(key)
  if (entry?.kind !== "asked") return false
  const reply = entry.reply?.action
  if (reply === "decline" || reply === "cancel") return true
  return isNo(await applyLateNo(run, entry.elicitation, { status: "completed" }))
}

/** The tool that this call runs, if the carrier's context names the tool. */
function toolOf(run: Run, call: OpenCall, key: string): Pick<Need, "tool"> {
  const { tool } = run.carrier.address(run, call, key).context
  return typeof tool === "string" ? { tool } : {}
}

const isActive = ({ status }: Connection): boolean => status === "active"

function needOf({ asker }: Run, caller: Principal, request: ConnectionRequest): Need {
  const { requester, client, lifetimeMs } = asker
  const { provider, scopes, offers, account, message } = request
  return {
    owner: toOwner(caller),
    ...{ provider, requester },
    lifetimeMs: request.lifetimeMs ?? lifetimeMs,
    ...(client === undefined ? {} : { client }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(offers === undefined ? {} : { offers }),
    ...(account === undefined ? {} : { account }),
    ...(message === undefined ? {} : { message }),
  }
}

function connectionRefusal(key: string, outcome: Outcome): Error {
  if (outcome.status !== "completed") return toRefusal(key, outcome.status, outcome.reason)
  const message = "The account was connected, but with fewer rights than are needed, or it was another account"
  return toRefusal(key, "failed", { code: "insufficient_grant", message })
}
