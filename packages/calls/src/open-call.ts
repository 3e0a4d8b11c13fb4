// One call that a request works on, as carriers and the verbs of `ask` see it: its journal, and the ways in which it is
// saved, released, suspended and ended.

import type { Journal } from "./journal.ts"
import type { Waiting } from "./waiting.ts"

export interface OpenCall {
  readonly id: string
  readonly tenant: string
  readonly journal: Journal
  /** How often the call was answered with a question before this request. */
  readonly round: number
  /** How often the client gave up the call before. Questions of earlier generations are asked again. */
  readonly generation: number
  /** Whether the client was asked in words to call again, and has called again. */
  readonly wasSentAway: boolean
  /** Whether this request has waited for another request that never answered. */
  readonly hasWaited: boolean
  /** Whether another request has the call, so that this one may only read the journal. */
  readonly isGuest: boolean
  /** The stored result of the call, if it never reached its client. */
  readonly answer: Answer | undefined
  /** Marks the handler as running. Until the call is answered, no other request may take it. */
  startWorking(): void
  /** Stores the journal. `questionMs` is how long a person has to answer. */
  save(questionMs?: number): Promise<void>
  /** Stores only the journal, unless the call must be stored too or another request may have taken it. */
  keep(): Promise<void>
  /**
   * Stores the call before the request is answered with a question. Returns the number of the new round, which the
   * client sends back with its answer.
   */
  advance(questionMs: number, handover?: Handover): Promise<number>
  /**
   * Stores the call for a client that is asked in words to call again and sends nothing back. The repeated call is
   * recognised by `knownBy`; without it, the call is removed.
   */
  sendAway(knownBy: string | undefined, questionMs: number): Promise<void>
  /**
   * Stores a call that no client comes back for. It is resumed when one of these questions is settled; without a
   * question, as soon as another process finds it.
   */
  pause(waiting: readonly Pick<Waiting, "elicitation" | "lifetimeMs">[]): Promise<void>
  /**
   * Ends the call. If the client may come again, the answer is kept until it is delivered. Returns false when another
   * request has taken over the call.
   */
  finish(answer?: Answer): Promise<boolean>
  /** Called when the client has received the answer: the same call, made again, is then a new one. */
  noteDelivered(): Promise<void>
  /** Called when the client is gone without an answer: the same call, made again, continues this one. */
  noteLost(): Promise<void>
  /** Called when the client has come back while the handler still runs. */
  noteHeard(): Promise<void>
  /**
   * Releases the lease of a request that ended without an answer, so that the client may send the same request again.
   */
  release(): Promise<void>
  /** Called when the client gave up the call. Its effects stay stored, in case the client makes the same call again. */
  giveUp(): Promise<void>
  /** Prepares the call for another run of its handler within the same request, without what it asks for again. */
  restart(): OpenCall
  /** Prepares the call for another run of its handler, which repeats this run because the storage failed. */
  again(): OpenCall
  /** Does the work in the background, again and again while the storage fails. */
  leave(work: () => Promise<unknown>): void
  /** Resolves when the work of `leave` has ended. False when it failed. */
  isLeft(): Promise<boolean>
}

export interface Answer {
  readonly value: unknown
}

/** How the client was answered with a question. */
export interface Handover {
  /** Whether the client has a question to show to a person; if not, it calls again at once. */
  readonly isShown: boolean
  /** The links that the client receives. */
  readonly links: readonly string[]
  /** Whether the client can come back only to this process. */
  readonly isTiedToProcess: boolean
}
