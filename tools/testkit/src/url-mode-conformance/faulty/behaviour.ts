// The decisions of a server that asks by link, each as a function. The honest server uses these; a faulty server
// replaces one of them.

import { createHash } from "node:crypto"

export type Json = Readonly<Record<string, unknown>>
export type Era = "2026-07-28" | "2025-11-25" | "2025-06-18"

export interface Question {
  readonly id: string
  readonly owner: string
  /** The tool with its arguments. */
  readonly call: string
  readonly session: string | undefined
  status: "open" | "accepted" | "done" | "refused"
}

/** The content of requestState. Each `nonce` is valid once. */
export interface StateContent {
  readonly question: string
  readonly owner: string
  readonly call: string
  readonly expiresAt: number
  readonly nonce: string
}

export interface Visit {
  /** The person who is signed in in the visiting browser. */
  readonly visitor: string | undefined
  readonly method: string
  readonly url: URL
}

export interface Behaviour {
  /** The address of a question. */
  link(question: Question): string
  urlParams(params: Json, era: Era): Json
  formParams(params: Json, era: Era): Json
  /** Whether a client can be asked. `earlier` has the capabilities of the same person's earlier requests. */
  canAsk(mode: "form" | "url", capabilities: unknown, era: Era, earlier: unknown): boolean
  /** The tool result for a client that cannot be asked. */
  cannotAskResult(question: Question, era: Era): Json
  /** Whether the question counts as finished. */
  isFinished(question: Question): boolean
  /** Whether an accepted link is sent again. */
  asksAgain(question: Question): boolean
  refusalEnds: boolean
  checksContent: boolean
  /** How long the server holds a retry before it responds without a result. */
  holdMs: number
  /** The value that requestState contains about the caller. */
  ownerInState(owner: string): string
  opensState(content: StateContent, presented: { owner: string; call: string; now: number; used: boolean }): boolean
  checksSignature: boolean
  /** The question with the id in the page's path. */
  find(questions: ReadonlyMap<string, Question>, id: string): Question | undefined
  /** Whether this visit finishes the question. */
  finishes(question: Question, visit: Visit): boolean
  page(question: Question | undefined, visit: Visit): string
  /** The ids of the sessions that receive the completion. */
  completionRecipients(question: Question, sessions: readonly string[]): readonly string[]
  completionId(question: Question): string
  completesOnAccept: boolean
  urlWay: "push" | "error"
  errorEntries(entry: Json): readonly Json[]
  mayAnswer(question: Question, by: { owner: string; session: string | undefined }): boolean
  /** The person as whom a session's request runs; undefined refuses the request. */
  callerOf(session: { readonly owner: string }, owner: string): string | undefined
  checksOrigin: boolean
  checksCredentials: boolean
  /** Returns every message in the form in which the server sends it. */
  message(message: Json, era: Era): Json
  modernHeaders: Readonly<Record<string, string>>
  /** Messages that the server sends on a stream before the response. */
  modernExtras: readonly Json[]
  finalText(question: Question): string
  /** The result of the form tool. */
  greeting(name: string): string
}

const origin = "http://127.0.0.1:4000"

export const honest: Behaviour = {
  link: ({ id }) => `${origin}/visit/${id}`,
  urlParams: (params) => params,
  formParams: (params) => params,
  canAsk: (mode, capabilities, era) => declares(mode, capabilities) && (mode === "form" || era !== "2025-06-18"),
  cannotAskResult: (question) => ({
    content: [{ type: "text", text: `Open ${origin}/visit/${question.id} in a browser, then call again.` }],
    isError: true,
  }),
  isFinished: ({ status }) => status === "done",
  asksAgain: () => false,
  refusalEnds: true,
  checksContent: true,
  holdMs: 12,
  ownerInState: (owner) => hash(owner),
  opensState: (content, { owner, call, now, used }) =>
    content.owner === hash(owner) && content.call === hash(call) && now < content.expiresAt && !used,
  checksSignature: true,
  find: (questions, id) => questions.get(id),
  finishes: ({ owner }, { visitor, method }) => visitor === owner && method === "POST",
  page: (question, { visitor }) =>
    visitor === undefined ? "Sign in first." : question === undefined ? "Nothing is here." : form,
  completionRecipients: ({ session }) => (session === undefined ? [] : [session]),
  completionId: ({ id }) => id,
  completesOnAccept: false,
  urlWay: "push",
  errorEntries: (entry) => [entry],
  mayAnswer: (question, by) => question.owner === by.owner && question.session === by.session,
  callerOf: (session, owner) => (session.owner === owner ? owner : undefined),
  checksOrigin: true,
  checksCredentials: true,
  message: (message) => message,
  modernHeaders: {},
  modernExtras: [],
  finalText: () => "The account is connected.",
  greeting: (name) => `Hello, ${name}!`,
}

export const form = '<form method="post"><input name="secret"><button>Connect</button></form>'

export function declares(mode: "form" | "url", capabilities: unknown): boolean {
  const elicitation = (capabilities as { readonly elicitation?: Json } | undefined)?.elicitation
  if (elicitation === undefined) return false
  return elicitation[mode] !== undefined || (mode === "form" && Object.keys(elicitation).length === 0)
}

export const hash = (text: string): string => createHash("sha256").update(text).digest("base64url")
