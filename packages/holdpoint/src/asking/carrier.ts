// The port between asking and whatever carries its questions: a protocol server, an agent's run, a script. A carrier knows
// its protocol and its clients; when to ask, to stop and to go on is decided here and never there.

import type { AskingClient, Context, Outcome, Requester } from "../core/elicitation.ts"
import type { Principal } from "../core/principal.ts"
import type { AskedEntry } from "./journal.ts"
import type { OpenCall } from "./open-call.ts"
import type { Question } from "./question.ts"
import type { Run, Suspended, Waiting } from "./run.ts"

/**
 * Brings the questions of calls to people, and resumes the calls: MCP is one, a runner of jobs another. One carrier
 * serves all calls; what is known of one call is in `run.request`.
 */
export interface Carrier<Request> {
  /** The call that this run goes on with, or a new one. Asked for once, when something is first asked or done. */
  resume(run: Run<Request>): Promise<OpenCall>
  /** Who is asked by this call, and what its questions belong to. */
  address(run: Run<Request>, call: OpenCall): Address
  /** Shows a question and holds the call until it is settled, or suspends the run there. */
  prompt(run: Run<Request>, prompting: Prompting): Promise<Outcome | Suspended>
  /** The run has stopped. Puts the call away until it is resumed, and answers its caller. */
  suspend(run: Run<Request>, waiting: readonly Waiting[]): Promise<unknown>
}

/** A question that has no answer yet. */
export interface Prompting {
  readonly question: Question
  readonly call: OpenCall
  /** An earlier run has asked it. */
  readonly asked: AskedEntry | undefined
}

/** Which program asks, on whose behalf, through what. */
export interface Asker {
  readonly requester: Requester
  readonly client?: AskingClient
  /** Who is known to call. Accounts are theirs. */
  readonly caller?: Principal
  /** How long a person has, unless a question says otherwise. */
  readonly lifetimeMs: number
}

export interface Address {
  readonly audience: Principal
  readonly context: Context
  /** The stream, task or call that the questions belong to. */
  readonly parent: string
  /** Calls in which this is equal are sent to the same page, while it is open. */
  readonly page: string
}
