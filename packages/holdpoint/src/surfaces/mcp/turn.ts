// One run of a handler. Questions that have to wait for another request are gathered, and when nothing else is under way
// the run stops there: what waits never goes on, and the handler is run again when the client comes back.

import type { ServerContext } from "@modelcontextprotocol/server"
import { digestOf } from "../../asking/digest.ts"
import type { OpenCall } from "../../asking/open-call.ts"
import type { Principal } from "../../core/principal.ts"
import type { Client } from "./client.ts"
import { isModern } from "./client.ts"
import type { Connection, Incoming, Surface } from "./surface.ts"
import { clientOf, principalOf } from "./surface.ts"
import type { Carrier } from "./way.ts"
import type { Prompt } from "./wire.ts"
import type { Link } from "./words.ts"

/** A question that waits for another request. Without a prompt the client has shown it already. */
export interface Waiting {
  readonly key: string
  readonly carrier: Exclude<Carrier, "push" | "none">
  readonly elicitation: string
  /** How long the person has. */
  readonly lifetimeMs: number
  readonly prompt?: Prompt
  /** Where a person can answer it, if there is such a place. */
  readonly link?: Link
}

export const suspended = Symbol("suspended")
export type Suspended = typeof suspended

export interface Turn {
  readonly surface: Surface
  readonly connection: Connection
  readonly context: ServerContext
  readonly client: Client
  readonly incoming: Incoming
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal
  /** When this run began. */
  readonly startedAt: number
  readonly callId: string
  /** By which the same call is known when it is made again and nothing is brought back. Undefined for nobodies. */
  readonly knownBy: string | undefined
  readonly principal: Principal
  call(): Promise<OpenCall>
  /** What is asked or done goes through here. Never resolves for what waits, nor after the run has stopped. */
  during<T>(work: () => Promise<T | Suspended>): Promise<T>
  wait(waiting: Waiting): Suspended
  /** Nothing else is being asked or done, nor waits. */
  isAlone(): boolean
  /** Calls back when the client has to be shown something, which must not wait for what is only waited for. */
  whenShown(hurry: () => void): () => void
  /** Resolves when the run has stopped. */
  readonly stopped: Promise<readonly Waiting[]>
  /** The handler has come to its end: whatever it left running asks nobody any more. */
  end(): void
  /** The call, if it was looked at. */
  opened(): Promise<OpenCall> | undefined
}

export function createTurn(connection: Connection, context: ServerContext, incoming: Incoming): Turn {
  const { surface } = connection
  const client = clientOf(connection, context)
  let known: Known | undefined
  /** Who asks under which id: worked out for those calls that ask. */
  const know = (): Known => {
    known ??= toKnown(connection, incoming, client)
    return known
  }
  const waiting: Waiting[] = []
  let hurries: readonly (() => void)[] = none
  let underWay = 0
  let isOver = false
  let stop: (all: readonly Waiting[]) => void = () => {}
  const stopped = new Promise<readonly Waiting[]>((resolve) => (stop = resolve))
  let call: Promise<OpenCall> | undefined

  const settle = (): void => {
    underWay--
    if (underWay > 0 || waiting.length === 0) return
    // What has just been answered may lead to the next question, which then belongs to the same round.
    setImmediate(() => {
      if (underWay > 0 || isOver) return
      isOver = true
      stop(waiting)
    })
  }

  const open = (): Promise<OpenCall> => {
    if (incoming.claimed !== undefined) return Promise.resolve(incoming.claimed)
    const { calls } = surface
    const { callId, knownBy, principal, isReplayed } = know()
    if (!isReplayed) return calls.resume(callId, principal)
    return knownBy === undefined
      ? Promise.resolve(calls.begin(callId, principal))
      : calls.take(knownBy, callId, principal)
  }

  return {
    ...{ surface, connection, context, client, incoming, stopped, startedAt: surface.runtime.now() },
    get callId() {
      return know().callId
    },
    get knownBy() {
      return know().knownBy
    },
    get principal() {
      return know().principal
    },
    signal: context.mcpReq.signal,
    call() {
      call ??= open()
      return call
    },
    opened: () => call ?? (incoming.claimed === undefined ? undefined : Promise.resolve(incoming.claimed)),
    async during<T>(work: () => Promise<T | Suspended>): Promise<T> {
      if (isOver) return never()
      underWay++
      let result: T | Suspended
      try {
        result = await work()
      } catch (error) {
        if (isOver) return never()
        throw error
      } finally {
        settle()
      }
      return result === suspended || isOver ? never() : result
    },
    isAlone: () => underWay === 1 && waiting.length === 0,
    wait(one) {
      waiting.push(one)
      if (one.prompt !== undefined) for (const hurry of hurries) hurry()
      return suspended
    },
    whenShown(hurry) {
      hurries = [...hurries, hurry]
      if (waiting.some(({ prompt }) => prompt !== undefined)) hurry()
      return () => {
        hurries = hurries.filter((other) => other !== hurry)
      }
    },
    end() {
      isOver = true
    },
  }
}

interface Known extends Pick<Turn, "callId" | "knownBy" | "principal"> {
  readonly isReplayed: boolean
}

function toKnown(connection: Connection, incoming: Incoming, client: Client): Known {
  const knownBy = byArguments(connection, incoming)
  const isReplayed = isModern(client) || knownBy === undefined
  const callId = incoming.claimed?.id ?? (isReplayed ? connection.surface.runtime.newId() : knownBy)
  return { callId, knownBy, principal: principalOf(connection, callId), isReplayed }
}

/** One empty list for all. */
const none: readonly never[] = []

const never = <T>(): Promise<T> => new Promise<T>(() => {})

/**
 * A client of 2026-07-28 brings the call's id back as long as it has patience. Others call again with the same arguments,
 * so that what they call is the id; those who are nobody, and have no session either, are never recognised.
 */
function byArguments(connection: Connection, { method, digest }: Incoming): string | undefined {
  const { caller, session, surface } = connection
  if (caller.principal === undefined && session === undefined) return undefined
  const who = principalOf(connection, "")
  return digestOf([
    surface.settings.name,
    who.tenant,
    who.issuer,
    who.subject,
    caller.clientId,
    session,
    method,
    digest,
  ])
}
