// The port between asking and the carrier of its questions: a protocol server, an agent's run, a script. A carrier
// knows its protocol and its clients. The code in `asking` decides when to ask, suspend and resume.

import type { AskingClient, Context, Elicitation, Outcome, Principal, Requester } from "@holdpoint/hub"
import type { AskedEntry } from "./journal.ts"
import type { OpenCall } from "./open-call.ts"
import type { Question } from "./question.ts"
import type { Run, Suspended } from "./run.ts"
import type { Waiting } from "./waiting.ts"

/**
 * Brings the questions of calls to people, and resumes the calls. MCP is one carrier, a job runner another. One carrier
 * serves all calls; the data of one call is in `run.request`.
 */
export interface Carrier<Request> {
  /**
   * Returns the call that this run continues, or a new one. Called once, when the handler first asks or does something.
   */
  resume(run: Run<Request>): Promise<OpenCall>
  /** Returns whom this call asks, and the stream, task or call of its questions. `key` is the key of one question. */
  address(run: Run<Request>, call: OpenCall, key?: string): Address
  /** Shows a question. Returns its outcome after waiting for it, or suspends the run at the question. */
  prompt(run: Run<Request>, prompting: Prompting): Promise<Outcome | Suspended>
  /** Called when the run has stopped: stores the call until it is resumed, and answers its caller. */
  suspend(run: Run<Request>, waiting: readonly Waiting[]): Promise<unknown>
}

/** A question that has no answer yet. */
export interface Prompting {
  readonly question: Question
  readonly call: OpenCall
  /** The journal entry of an earlier run that asked this question. */
  readonly askedEntry: AskedEntry | undefined
  /**
   * Called by `askAndSuspend` with the current state of the question: after this run has asked it, and when the
   * question is not pending any more. The run waits for the callback.
   */
  readonly onSeen?: (elicitation: Elicitation) => Promise<void>
}

/** The program that asks, and the client and the person it asks for. */
export interface Asker {
  readonly requester: Requester
  readonly client?: AskingClient
  /** The verified caller, whose accounts the call uses. */
  readonly caller?: Principal
  /** How long a person has to answer. A question may override it. */
  readonly lifetimeMs: number
  /** The W3C `traceparent` that the caller sent with its request. */
  readonly trace?: string
}

export interface Address {
  readonly audience: Principal
  readonly context: Context
  /** The stream, task or call that the questions belong to. */
  readonly parent: string
  /** Calls with the same value that ask for a page under the same key share one question while it is open. */
  readonly page: string
}
