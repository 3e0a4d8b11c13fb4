// Builds questions from a handler's arguments, so that they can be asked at the hub and recognised when the handler
// runs again.

import type { Draft, Elicitation, Form, FormSource, Outlet } from "@holdpoint/hub"
import { HoldpointError, paths } from "@holdpoint/hub"
import type { ConfirmWords } from "@holdpoint/hub/forms"
import { confirmForm } from "@holdpoint/hub/forms"
import type { DraftDetail } from "@holdpoint/hub/internal"
import { compileOnce, visitDraft } from "@holdpoint/hub/internal"
import { digestOf } from "./digest.ts"
import type { OpenCall } from "./open-call.ts"
import type { Run } from "./run.ts"

export interface QuestionOptions {
  /** How long the person has to answer. */
  readonly lifetimeMs?: number
  /**
   * When the call stops waiting for a link. `accepted`: when the person agrees to open it, for pages of servers that do
   * not report completion. `held`: after they agreed, the call waits for at most the hold time of one request, and then
   * continues while the question stays open.
   */
  readonly until?: "accepted" | "held" | undefined
  /**
   * The whole text, when the message is shortened. The question is then answered on its page, which shows this text:
   * every other place leads there. Only for forms, and only where there are pages.
   */
  readonly detail?: string | undefined
}

export interface Question {
  readonly key: string
  readonly mode: "form" | "url"
  /** The digest of the message and the form or address, so that one key is not used for two questions. */
  readonly digest: string
  /** The form, if the question has one. */
  readonly form?: Form
  /** The author's options, including those that only the carrier understands. */
  readonly options: QuestionOptions
  /** Whether a later run may skip the question, even if it was asked before. */
  readonly isOptional?: boolean
  /** Whether the account that a completed question connected has been lost. */
  readonly isLost?: () => Promise<boolean>
  /** Whether other calls of the same client may wait for the same question, so that one prompt is enough. */
  readonly isShared?: boolean
  /** Whether another call asked the question and acts on the answer. */
  readonly isJoined?: boolean
  readonly ask: (call: OpenCall, outlets: readonly Outlet[]) => Promise<Elicitation>
}

/** The author's arguments that every kind of question has. */
export interface Wording {
  /** The key, including its scope. */
  readonly key: string
  readonly message: string
  readonly options: QuestionOptions
  /** Details for the question's context, besides those of the carrier. */
  readonly about?: Readonly<Record<string, string>>
}

export function formQuestion(run: Run, wording: Wording, source: FormSource): Question {
  const { key, message, options } = wording
  const form = compileOnce(source)
  return {
    key,
    mode: "form",
    digest: digestOf(options.detail === undefined ? [message, form] : [message, form, options.detail]),
    form,
    options,
    ask: (call, outlets) =>
      run.asking.hub.ask({ ...draftOf(run, call, wording), form: source }, { outlets, ...traceOf(run) }),
  }
}

/** A yes-or-no question. */
export const confirmQuestion = (run: Run, wording: Wording, words: ConfirmWords = {}): Question =>
  formQuestion(run, wording, confirmForm(words, wording.message))

export function urlQuestion(run: Run, wording: Wording, url: string | ((id: string) => string)): Question {
  const { addresses, hub } = run.asking
  const { key, message, options } = wording
  const isOwnPage = typeof url === "string" && addresses?.isOurs(url) === true
  // A link to a foreign page leads through a page of this server, which verifies the visitor.
  const isWrapped = addresses !== undefined && run.asker.caller !== undefined && !isOwnPage
  return {
    key,
    mode: "url",
    digest: digestOf([message, typeof url === "string" ? url : "made from the id"]),
    options,
    ask(call, outlets) {
      const { page } = run.carrier.address(run, call)
      const openKey = { key: digestOf([page, key]), keyReuse: "open" } as const
      const draft = { ...draftOf(run, call, wording), ...openKey }
      const urlDraft: Draft = isWrapped ? visitDraft({ ...draft, address: url }, addresses) : { ...draft, url }
      return hub.ask(urlDraft, { outlets, ...traceOf(run) })
    },
  }
}

/** The trace of the request that asks, if its caller sent one. */
export const traceOf = ({ asker: { trace } }: Run): { readonly trace?: string } =>
  trace === undefined ? {} : { trace }

/**
 * The fields of a draft that do not depend on the kind of question. The hub's key makes each key of a call one
 * question.
 */
function draftOf(run: Run, call: OpenCall, { key, message, options, about }: Wording) {
  const { requester, client, lifetimeMs } = run.asker
  const { audience, context, parent } = run.carrier.address(run, call, key)
  return {
    ...{ message, audience, requester, parent },
    detail: options.detail === undefined ? undefined : detailOf(run, options.detail),
    context: about === undefined ? context : { ...context, ...about },
    ...(client === undefined ? {} : { client }),
    key: digestOf([call.id, call.generation, key]),
    lifetimeMs: options.lifetimeMs ?? lifetimeMs,
  }
}

function detailOf({ asking: { addresses } }: Run, text: string): DraftDetail {
  if (addresses !== undefined) return { text, page: (id) => addresses.to(paths.question, id) }
  throw new HoldpointError("invalid_question", "A question with a detail needs the pages of this server to show it.")
}
