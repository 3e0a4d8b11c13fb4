// The `ask` object that a handler gets. Each verb builds a question from the author's arguments, and turns its outcome
// into a value or throws a refusal.

import type { Content, FormSource, Outcome, Principal } from "@holdpoint/hub"
import { choice, form, HoldpointError } from "@holdpoint/hub"
import type { ConfirmWords } from "@holdpoint/hub/forms"
import type { ConnectionHandle } from "@holdpoint/hub/internal"
import { isYes } from "@holdpoint/hub/internal"
import type { ConnectionOptions } from "./connection.ts"
import { connect } from "./connection.ts"
import { checkKey, keyWithin, scopeWithin } from "./key.ts"
import { signalOf } from "./late-no.ts"
import type { Attempt, OnceOptions } from "./once.ts"
import { runEffectOnce } from "./once.ts"
import { askQuestion } from "./prompting.ts"
import type { Question, QuestionOptions, Wording } from "./question.ts"
import { confirmQuestion, formQuestion, urlQuestion } from "./question.ts"
import { answerGone, toRefusal } from "./refusal.ts"
import type { Run } from "./run.ts"
import { runStep } from "./run.ts"

/** The `ask` object that a handler gets. `Options` are the options of one question, including the carrier's own. */
export interface Ask<Options extends QuestionOptions = QuestionOptions> {
  /** Asks for the fields of a form, typed by its schema. */
  form<C extends Content>(key: string, message: string, schema: FormSource<C>, options?: Options): Promise<C>
  /**
   * Asks yes or no; `yes` and `no` are the labels. Without them, “Delete the note?” is answered by “Delete” or “Do not
   * delete”, other messages by “Yes” or “No”. Dismissing the question throws a refusal.
   */
  confirm(key: string, message: string, options?: Options & ConfirmWords): Promise<boolean>
  /** Asks for one of several values, given as a list or as titles by value. */
  choice<const V extends string>(
    key: string,
    message: string,
    values: readonly V[] | Readonly<Record<V, string>>,
    options?: Options,
  ): Promise<V>
  /**
   * Asks the person to visit a page, whose address may be built from the question's id. Resolves when the question is
   * completed at the hub, or earlier with the option `until`.
   */
  url(key: string, message: string, url: string | ((id: string) => string), options?: Options): Promise<void>
  /** Returns the caller's account at a provider, and asks them to connect it when they have not. */
  connection(provider: string, options?: ConnectionOptions & Options): Promise<ConnectionHandle>
  /**
   * Runs the effect once per call, however often and in whichever process the handler runs. Its result is stored as
   * JSON.
   */
  once<T>(key: string, effect: (attempt: Attempt) => T | Promise<T>, options?: OnceOptions): Promise<T>
  /**
   * Returns an `ask` of the same call with separate keys, for each iteration of a loop or each tool that an agent
   * calls. Use each name once per call. When a person takes back an answer, only the effects of the same scope, and of
   * scopes inside it, stop.
   */
  scope(name: string): Ask<Options>
  /** The caller, if known. */
  readonly caller: Principal | undefined
  /**
   * For work outside of `once`. Aborts when the caller gives up. Also aborts, with the refusal as its reason, when a
   * person takes back a Yes to a question of this scope or of a scope around it.
   */
  readonly signal: AbortSignal
}

/** The state that the verbs of one `ask` share. */
export interface AskState {
  readonly run: Run
  /** The prefix of every key. */
  readonly scope: string
  /** The requests for accounts in progress, so that concurrent requests for the same account share one. */
  connecting: Map<string, Promise<ConnectionHandle>> | undefined
}

/** The state behind an `ask` object. Throws for any object that `defineAsk` did not create. */
export function stateOf(ask: object): AskState {
  const state = (ask as Partial<WithState>)[stateKey]
  if (state !== undefined) return state
  throw new HoldpointError(
    "invalid_config",
    "This is not an `ask` object of Holdpoint. Pass the one that a handler gets.",
  )
}

/** For each verb, the function that binds the verb to the state of one `ask` object. */
export type Verbs<A> = { readonly [Verb in keyof A]: (state: AskState) => A[Verb] }

/**
 * Defines the verbs of `ask`. Each verb is bound to its object, because handlers destructure `ask`. It is bound on
 * first access, because many calls are held at the same time and each uses one or two verbs.
 */
export function defineAsk<A extends object>(verbs: Verbs<A>): (run: Run, scope?: string) => A {
  class Bound implements WithState {
    readonly [stateKey]: AskState

    constructor(state: AskState) {
      this[stateKey] = state
    }
  }
  for (const verb of Object.keys(verbs) as (keyof A)[])
    Object.defineProperty(Bound.prototype, verb, {
      enumerable: true,
      get(this: WithState) {
        return verbs[verb](this[stateKey])
      },
    })
  return (run, scope = "") => new Bound({ run, scope, connecting: undefined }) as object as A
}

const stateKey = Symbol("state")

interface WithState {
  readonly [stateKey]: AskState
}

export const askVerbs: Verbs<Ask> = {
  form:
    ({ run, scope }) =>
    async <C extends Content>(key: string, message: string, schema: FormSource<C>, options?: QuestionOptions) => {
      const question = formQuestion(run, toWording(scope, key, { message, options }), schema)
      return contentOf(question, await runStep(run, askQuestion, question)) as C
    },
  confirm:
    ({ run, scope }) =>
    async (key, message, options) => {
      const question = confirmQuestion(run, toWording(scope, key, { message, options }), options)
      return isYes(contentOf(question, await runStep(run, askQuestion, question)))
    },
  choice:
    ({ run, scope }) =>
    async <const V extends string>(
      key: string,
      message: string,
      values: readonly V[] | Readonly<Record<V, string>>,
      options?: QuestionOptions,
    ) => {
      const field = Array.isArray(values)
        ? choice(values as readonly V[])
        : choice(values as Readonly<Record<V, string>>)
      const question = formQuestion(run, toWording(scope, key, { message, options }), form({ choice: field }))
      return contentOf(question, await runStep(run, askQuestion, question)).choice as V
    },
  url:
    ({ run, scope }) =>
    async (key, message, url, options) => {
      const question = urlQuestion(run, toWording(scope, key, { message, options }), url)
      const outcome = await runStep(run, askQuestion, question)
      if (outcome.status !== "completed") throw toRefusal(question.key, outcome.status, outcome.reason)
    },
  connection: (state) => (provider, options) => connectOnce(state, provider, options),
  once:
    ({ run, scope }) =>
    async <T>(key: string, effect: (attempt: Attempt) => T | Promise<T>, options: OnceOptions = {}) =>
      runStep(run, runEffectOnce<T>, { key: keyWithin(scope, key), effect, options }),
  scope:
    ({ run, scope }) =>
    (name) =>
      createAsk(run, scopeWithin(scope, name)),
  caller: ({ run }) => run.asker.caller,
  signal: ({ run, scope }) => signalOf(run, scope),
}

const createFromVerbs = defineAsk(askVerbs)

/** Creates the `ask` object for an author's function. `scope` is the prefix of every key. */
export function createAsk<Options extends QuestionOptions>(run: Run, scope = ""): Ask<Options> {
  return createFromVerbs(run, scope) as Ask<Options>
}

function connectOnce(state: AskState, provider: string, options: ConnectionOptions = {}): Promise<ConnectionHandle> {
  const { run, scope } = state
  const { scopes, account } = options
  const requestKey = JSON.stringify([provider, scopes, account])
  state.connecting ??= new Map()
  const request = state.connecting.get(requestKey) ?? runStep(run, connect, { ...options, provider, scope })
  state.connecting.set(requestKey, request)
  const forget = (): boolean | undefined => state.connecting?.delete(requestKey)
  request.then(forget, forget)
  return request
}

const toWording = (scope: string, key: string, { message, options = noOptions }: MessageAndOptions): Wording => ({
  key: keyWithin(scope, checkKey(key)),
  message,
  options,
})

interface MessageAndOptions {
  readonly message: string
  readonly options: QuestionOptions | undefined
}

/** The default options. All calls share one object. */
const noOptions: QuestionOptions = {}

/** Returns the content of the answer. Throws a refusal when the outcome has none. */
function contentOf({ key }: Question, outcome: Outcome): Content {
  if (outcome.status !== "completed") throw toRefusal(key, outcome.status, outcome.reason)
  if (outcome.content !== undefined) return outcome.content
  throw toRefusal(key, "expired", answerGone)
}
