// Questions, as a handler's words make them: ready to be put to the hub, and to be recognised when the handler comes again.

import type { ConfirmWords } from "../core/confirmation.ts"
import { confirmForm, tickForm } from "../core/confirmation.ts"
import type { Elicitation } from "../core/elicitation.ts"
import { isHoldpointError } from "../core/error.ts"
import type { Form } from "../core/form.ts"
import type { Draft, FormSource } from "../core/question.ts"
import { compileOnce } from "../core/question.ts"
import { visitDraft } from "../core/visit.ts"
import type { Outlet } from "../ports/outlet.ts"
import { digestOf } from "./digest.ts"
import type { OpenCall } from "./open-call.ts"
import type { Run } from "./run.ts"

export interface QuestionOptions {
  /** How long the person has. */
  readonly lifetimeMs?: number
  /**
   * Of a link. `accepted`: done with when the person agrees to open it, for pages of servers that do not tell when it is
   * done. `held`: once they agreed, it is waited for no longer than one request is held; then the call goes on without it,
   * and it stays open.
   */
  readonly until?: "accepted" | "held"
}

export interface Question {
  readonly key: string
  readonly mode: "form" | "url"
  /** Of what is asked: a key is not used for two things. */
  readonly digest: string
  /** What a form asks for. */
  readonly form?: Form
  /** The author's, with what the carrier alone understands. */
  readonly options: QuestionOptions
  /** Not asked when it is not needed, also where it was asked before. */
  readonly isOptional?: boolean
  /** What came of it when it was done is there no more. */
  readonly isLost?: () => Promise<boolean>
  /** Other calls of the same client may wait for it as well, and one prompt is enough. */
  readonly isShared?: boolean
  readonly ask: (call: OpenCall, outlets: readonly Outlet[]) => Promise<Elicitation>
}

/** What the author wrote, whatever kind of question it is. */
export interface Wording {
  /** With its scope. */
  readonly key: string
  readonly message: string
  readonly options: QuestionOptions
}

export function formQuestion(run: Run, wording: Wording, source: FormSource): Question {
  const { key, message, options } = wording
  const form = compileOnce(source)
  return {
    key,
    mode: "form",
    digest: digestOf([message, form]),
    form,
    options,
    ask: (call, outlets) => run.asking.hub.ask({ ...draftOf(run, call, wording), form: source }, { outlets }),
  }
}

/**
 * A call that was begun when this was a box to tick goes on with it: what it noted is recognised, and its question, if it
 * is open under the same key, is the one that counts.
 */
export function confirmQuestion(run: Run, wording: Wording, words: ConfirmWords = {}): Question {
  const tick = formQuestion(run, wording, tickForm)
  const question = formQuestion(run, wording, confirmForm(words))
  return {
    ...question,
    digest: tick.digest,
    ask: (call, outlets) =>
      question.ask(call, outlets).catch((error: unknown) => {
        if (isHoldpointError(error) && error.code === "key_conflict") return tick.ask(call, outlets)
        throw error
      }),
  }
}

export function urlQuestion(run: Run, wording: Wording, url: string | ((id: string) => string)): Question {
  const { addresses, hub } = run.asking
  const { key, message, options } = wording
  const isOurs = typeof url === "string" && addresses?.isOurs(url) === true
  // A page of somebody else is reached through ours, which verifies the visitor.
  const isWrapped = addresses !== undefined && run.asker.caller !== undefined && !isOurs
  return {
    key,
    mode: "url",
    digest: digestOf([message, typeof url === "string" ? url : "made from the id"]),
    options,
    ask(call, outlets) {
      const { page } = run.carrier.address(run, call)
      const open = { key: digestOf([page, key]), keyReuse: "open" } as const
      const draft = { ...draftOf(run, call, wording), ...open }
      const whole: Draft = isWrapped ? visitDraft({ ...draft, address: url }, addresses) : { ...draft, url }
      return hub.ask(whole, { outlets })
    },
  }
}

/** What every question of a call has in common. One key of one call is one question. */
function draftOf(run: Run, call: OpenCall, { key, message, options }: Wording) {
  const { requester, client, lifetimeMs } = run.asker
  const { audience, context, parent } = run.carrier.address(run, call)
  return {
    ...{ message, audience, requester, context, parent },
    ...(client === undefined ? {} : { client }),
    key: digestOf([call.id, call.generation, key]),
    lifetimeMs: options.lifetimeMs ?? lifetimeMs,
  }
}
