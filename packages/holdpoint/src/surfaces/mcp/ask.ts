// What a handler asks with. Each verb turns what the author wrote into a question and its outcome into a value, or throws a
// refusal.

import type { ServerContext } from "@modelcontextprotocol/server"
import { digestOf } from "../../asking/digest.ts"
import type { OpenCall } from "../../asking/open-call.ts"
import { toRefusal } from "../../asking/refusal.ts"
import { compile } from "../../core/compile.ts"
import type { Connection } from "../../core/connection.ts"
import { toOwner } from "../../core/connection.ts"
import type { AskingClient, Outcome } from "../../core/elicitation.ts"
import { HoldpointError } from "../../core/error.ts"
import type { Content, Form } from "../../core/form.ts"
import { choice, form, yesNo } from "../../core/form.ts"
import type { Principal } from "../../core/principal.ts"
import type { Draft, FormSource } from "../../core/question.ts"
import { visitDraft } from "../../core/visit.ts"
import type { ConnectionHandle } from "../../vault/handle.ts"
import type { Need } from "../../vault/need.ts"
import { parentOf } from "./cancel.ts"
import type { Client, UrlWay } from "./client.ts"
import { isModern } from "./client.ts"
import { assertOutside, once } from "./once.ts"
import { tellProgress } from "./progress.ts"
import { fits } from "./prompt.ts"
import type { Question } from "./put.ts"
import { put } from "./put.ts"
import type { Suspended, Turn } from "./turn.ts"
import { suspended } from "./turn.ts"

export interface QuestionOptions {
  /** How long the person has. */
  readonly lifetimeMs?: number
  /** How a client of 2025-11-25 is sent to a page, for this question. */
  readonly urlWay?: UrlWay
}

export interface ConnectionOptions extends QuestionOptions {
  readonly scopes?: readonly string[]
  /** The id of one account at the provider, for people who have several. */
  readonly account?: string
  /** Why, in the words of the tool. */
  readonly message?: string
}

export interface OnceOptions {
  /** It does no harm to do it again when nobody knows whether it was done. */
  readonly repeatable?: boolean
}

export interface Ask {
  /** A form, typed by its schema. */
  form<C extends Content>(key: string, message: string, schema: FormSource<C>, options?: QuestionOptions): Promise<C>
  /** Yes or no. Dismissing the question is neither. */
  confirm(key: string, message: string, options?: QuestionOptions): Promise<boolean>
  /** One of several: values, or titles by value. */
  choice<const V extends string>(
    key: string,
    message: string,
    values: readonly V[] | Readonly<Record<V, string>>,
    options?: QuestionOptions,
  ): Promise<V>
  /** A page to visit, which may be made from the question's id. Resolves when the hub was told that it is done. */
  url(key: string, message: string, url: string | ((id: string) => string), options?: QuestionOptions): Promise<void>
  /** The caller's account at a provider; asked for if they have not connected it. */
  connection(provider: string, options?: ConnectionOptions): Promise<ConnectionHandle>
  /** Done once in this call, whoever runs it how often. What it returns is kept as JSON. */
  once<T>(key: string, effect: () => T | Promise<T>, options?: OnceOptions): Promise<T>
  /** In words, for clients that asked for it. */
  progress(message: string, fraction?: number): Promise<void>
  /** Who calls, if that is known. */
  readonly caller: Principal | undefined
  /** The SDK's own context of this request. */
  readonly context: ServerContext
}

export function createAsk(turn: Turn): Ask {
  const { connection, context } = turn
  /** What needs the same account at the same time asks for it together. */
  let connecting: Map<string, Promise<ConnectionHandle>> | undefined
  const askForm = async (
    key: string,
    message: string,
    source: FormSource,
    options: QuestionOptions,
  ): Promise<Content> => {
    const outcome = await turn.during(() => put(turn, formQuestion(turn, key, message, source, options)))
    if (outcome.status !== "completed") throw toRefusal(key, outcome.status, outcome.reason)
    if (outcome.content !== undefined) return outcome.content
    throw toRefusal(key, "expired", { code: "content_gone", message: "The answer was kept only for a while" })
  }
  return {
    async form<C extends Content>(key: string, message: string, schema: FormSource<C>, options = {}) {
      return (await askForm(key, message, schema, options)) as C
    },
    async confirm(key, message, options = {}) {
      return (await askForm(key, message, confirmForm, options)).confirmed === true
    },
    async choice<const V extends string>(
      key: string,
      message: string,
      values: readonly V[] | Readonly<Record<V, string>>,
      options = {},
    ) {
      const field = Array.isArray(values)
        ? choice(values as readonly V[])
        : choice(values as Readonly<Record<V, string>>)
      return (await askForm(key, message, form({ choice: field }), options)).choice as V
    },
    async url(key, message, url, options = {}) {
      const outcome = await turn.during(() => put(turn, urlQuestion(turn, key, message, url, options)))
      if (outcome.status !== "completed") throw toRefusal(key, outcome.status, outcome.reason)
    },
    connection(provider, options = {}) {
      const { scopes, account } = options
      const name = JSON.stringify([provider, scopes, account])
      connecting ??= new Map()
      const made = connecting.get(name) ?? turn.during(() => connect(turn, provider, options))
      connecting.set(name, made)
      const forget = (): boolean | undefined => connecting?.delete(name)
      made.then(forget, forget)
      return made
    },
    once: (key, effect, options = {}) => turn.during(() => once(turn, key, effect, options)),
    progress: (message, fraction) => tellProgress(turn, message, fraction),
    caller: connection.caller.principal,
    context,
  }
}

const confirmForm = form({ confirmed: yesNo({ title: "Yes" }) })

function formQuestion(
  turn: Turn,
  key: string,
  message: string,
  source: FormSource,
  { lifetimeMs, urlWay }: QuestionOptions,
): Question {
  const compiled: Form = compile(source)
  return {
    key: checkKey(key),
    mode: "form",
    digest: digestOf([message, compiled]),
    fits: fits(compiled, turn.client),
    ...(urlWay === undefined ? {} : { urlWay }),
    ask: (call, outlets) =>
      turn.surface.hub.ask({ ...draftOf(turn, call, key, message, lifetimeMs), form: source }, { outlets }),
  }
}

function urlQuestion(
  turn: Turn,
  key: string,
  message: string,
  url: string | ((id: string) => string),
  { lifetimeMs, urlWay }: QuestionOptions,
): Question {
  const { publicUrl } = turn.surface.settings
  const isOurs = publicUrl !== undefined && typeof url === "string" && url.startsWith(`${publicUrl}/`)
  // A page of somebody else is reached through ours, which looks who comes.
  const isWrapped = publicUrl !== undefined && turn.connection.caller.principal !== undefined && !isOurs
  return {
    key: checkKey(key),
    mode: "url",
    digest: digestOf([message, typeof url === "string" ? url : "made from the id"]),
    fits: true,
    ...(urlWay === undefined ? {} : { urlWay }),
    ask(call, outlets) {
      // Who has to call again for it finds the page that is open already.
      const open = { key: digestOf([call.id, key]), keyReuse: "open" } as const
      const draft = { ...open, ...draftOf(turn, call, key, message, lifetimeMs) }
      const whole: Draft = isWrapped ? visitDraft({ ...draft, address: url }, publicUrl) : { ...draft, url }
      return turn.surface.hub.ask(whole, { outlets })
    },
  }
}

/** What every question of this surface has in common. One key of one call is one question. */
function draftOf(turn: Turn, call: OpenCall, key: string, message: string, lifetimeMs: number | undefined) {
  const { surface, connection, client, incoming, principal, context } = turn
  const { name, lifetimeMs: usual } = surface.settings
  return {
    message,
    audience: principal,
    requester: { id: name, name },
    ...askingClient(client),
    context: { trigger: "mcp_elicitation", tool: incoming.name.slice(0, 200) } as const,
    parent: connection.session === undefined ? `mcp ${call.id}` : parentOf(connection.session, context.mcpReq.id),
    // A call that is known by its arguments alone may come again as another call, and then is asked anew.
    ...(isModern(client) ? { key: digestOf([call.id, key]) } : {}),
    lifetimeMs: lifetimeMs ?? usual,
  }
}

async function connect(
  turn: Turn,
  provider: string,
  options: ConnectionOptions,
): Promise<ConnectionHandle | Suspended> {
  const { vault } = turn.surface
  const principal = turn.connection.caller.principal
  if (vault === undefined)
    throw new HoldpointError("invalid_config", "ask.connection needs a vault: give `vault` to createMcp.")
  if (principal === undefined)
    throw new HoldpointError(
      "caller_unknown",
      "An account belongs to a person, and nobody knows who calls. Serve this with authentication, or in local mode.",
    )
  assertOutside(turn, provider)
  const need = needOf(turn, principal, provider, options)
  // When it is lost the handler is run again, and asks here.
  const find = () => vault.find(need, { whenLost: "throw" })
  const found = await find()
  if (found !== undefined) return found
  const key = `connection ${provider}${options.account === undefined ? "" : ` ${options.account}`}`
  const outcome = await put(turn, {
    key,
    mode: "url",
    digest: digestOf([provider, options.scopes ?? [], options.account]),
    fits: true,
    isOptional: true,
    isShared: true,
    // One that is there, and not what is needed, is what came of the question.
    isLost: async () => !(await vault.list(need.owner)).some((one) => one.provider === provider && isActive(one)),
    ...(options.urlWay === undefined ? {} : { urlWay: options.urlWay }),
    ask: (_call, outlets) => vault.ask(need, { outlets }),
  })
  if (outcome === suspended) return suspended
  const made = await find()
  if (made !== undefined) return made
  throw refusedConnection(key, outcome)
}

const isActive = ({ status }: Connection): boolean => status === "active"

function needOf(turn: Turn, principal: Principal, provider: string, options: ConnectionOptions): Need {
  const { surface, client } = turn
  const { name, lifetimeMs } = surface.settings
  const { scopes, account, message } = options
  return {
    owner: toOwner(principal),
    provider,
    requester: { id: name, name },
    lifetimeMs: options.lifetimeMs ?? lifetimeMs,
    ...askingClient(client),
    ...(scopes === undefined ? {} : { scopes }),
    ...(account === undefined ? {} : { account }),
    ...(message === undefined ? {} : { message }),
  }
}

function askingClient({ name, version }: Client): { readonly client?: AskingClient } {
  if (name === undefined) return {}
  return { client: { name, ...(version === undefined ? {} : { version }) } }
}

function refusedConnection(key: string, outcome: Outcome): Error {
  if (outcome.status !== "completed") return toRefusal(key, outcome.status, outcome.reason)
  const message = "The account was connected, but with fewer rights than are needed, or it was another account"
  return toRefusal(key, "failed", { code: "insufficient_grant", message })
}

function checkKey(key: string): string {
  if (/^[^\s\p{C}][^\p{C}]{0,99}$/u.test(key)) return key
  throw new HoldpointError("invalid_question", `“${key}” cannot be a key: use up to 100 visible characters.`)
}
