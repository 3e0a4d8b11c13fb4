// The Web API: identifies the caller, applies rate limits and calls the method. Responds with 200, except for 429 and
// simulated faults.

import type { Fields } from "./limits/check.ts"
import { type Method, refusalOf, refuse } from "./method.ts"
import { chatMethods } from "./methods/chat.ts"
import { lookupMethods } from "./methods/lookups.ts"
import { streamMethods } from "./methods/stream.ts"
import { viewMethods } from "./methods/views.ts"
import { createRateLimits } from "./rate-limits.ts"
import type { Sockets } from "./sockets.ts"
import type { Team, World } from "./world.ts"

const methods: Readonly<Record<string, Method>> = {
  ...chatMethods,
  ...lookupMethods,
  ...streamMethods,
  ...viewMethods,
}

/** A simulated fault: an error of Slack's, a status, or a connection that is lost before or after the method runs. */
export type Fault =
  | { readonly error: string }
  | { readonly status: number; readonly retryAfter?: number }
  | { readonly lost: "before" | "after" }

export interface ApiCall {
  readonly method: string
  readonly team: string
  readonly args: Fields
  readonly at: number
  readonly error?: string
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Fields
  /** Whether the connection is closed without sending this response. */
  readonly isLost: boolean
}

export interface WebApi {
  answer(method: string, token: string | undefined, args: Fields): ApiAnswer
  readonly calls: readonly ApiCall[]
  /** Makes the next calls of that method fail with this fault. */
  fail(method: string, fault: Fault, times?: number): void
}

interface Options {
  readonly world: World
  readonly sockets: Sockets
  readonly tell: (team: Team, event: Fields) => void
  readonly isLimited: boolean
}

export function createWebApi({ world, sockets, tell, isLimited }: Options): WebApi {
  const calls: ApiCall[] = []
  const faults = new Map<string, Fault[]>()
  const limits = createRateLimits(world.clock)

  function run(method: string, token: string | undefined, args: Fields): ApiAnswer {
    if (token === undefined || token === "") return refused("not_authed")
    const isApp = token === world.appToken
    const team = [...world.teams.values()].find(({ botToken }) => botToken === token)
    if (!isApp && team === undefined) return refused("invalid_auth")
    const wait = isLimited ? limits.take(team?.id ?? "app", method, args.channel as string | undefined) : undefined
    if (wait !== undefined) return limited(wait)
    if (method === "apps.connections.open") {
      return isApp ? done({ url: sockets.ticket() }) : refused("not_allowed_token_type")
    }
    if (team === undefined) return refused("not_allowed_token_type")
    const act = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (act === undefined) return refused("unknown_method")
    try {
      return done(act({ world, team, args: readJson(args), tell }))
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      return refused(refusal.error, refusal.messages)
    }
  }

  return {
    calls,
    fail(method, fault, times = 1) {
      faults.set(method, [...(faults.get(method) ?? []), ...Array<Fault>(times).fill(fault)])
    },
    answer(method, token, args) {
      const [fault, ...rest] = faults.get(method) ?? []
      faults.set(method, rest)
      const answer = withFault(fault, () => run(method, token, args))
      const team = [...world.teams.values()].find(({ botToken }) => botToken === token)?.id ?? ""
      const error = answer.body.error as string | undefined
      const { token: _token, ...visibleArgs } = args
      calls.push({ method, team, args: readable(visibleArgs), at: world.clock.now(), ...(error && { error }) })
      return answer
    },
  }
}

function withFault(fault: Fault | undefined, run: () => ApiAnswer): ApiAnswer {
  if (fault === undefined) return run()
  if ("error" in fault) return refused(fault.error)
  if ("lost" in fault) return { ...(fault.lost === "after" ? run() : refused("lost")), isLost: true }
  if (fault.status === 429) return limited(fault.retryAfter ?? 1)
  return { status: fault.status, headers: {}, body: { ok: false, error: "internal_error" }, isLost: false }
}

const done = (body: Fields): ApiAnswer => ({ status: 200, headers: {}, body: { ok: true, ...body }, isLost: false })

function refused(error: string, messages?: readonly string[]): ApiAnswer {
  const lines = messages?.map((one) => `[ERROR] ${one}`)
  const body = { ok: false, error, ...(messages && { errors: messages, response_metadata: { messages: lines } }) }
  return { status: 200, headers: {}, body, isLost: false }
}

const limited = (seconds: number): ApiAnswer => ({
  status: 429,
  headers: { "retry-after": String(seconds) },
  body: { ok: false, error: "ratelimited" },
  isLost: false,
})

const asJson = ["blocks", "view", "metadata", "chunks", "attachments", "loading_messages"]

/** Parses form fields that are not texts, which forms encode as JSON. */
function readJson(args: Fields): Fields {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (!asJson.includes(name) || typeof value !== "string") return [name, value]
      try {
        return [name, JSON.parse(value)]
      } catch {
        return refuse(name === "blocks" ? "invalid_blocks_format" : "invalid_arguments")
      }
    }),
  )
}

/** The arguments in readable form for tests, even if Slack would refuse them. */
function readable(args: Fields): Fields {
  try {
    return readJson(args)
  } catch {
    return args
  }
}
