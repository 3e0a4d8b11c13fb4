// The options of a connection to an A2A agent, and their defaults.

import type { Runtime } from "@holdpoint/hub"
import { HoldpointError, systemRuntime } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"

/** An A2A agent to which this program sends tasks. */
export interface ConnectA2aOptions {
  /** The name of the agent, shown to people as the asker. */
  readonly name: string
  /** The address of the agent, or that of its card if it ends with `.json`. Shown to people beside the name. */
  readonly url: string
  /** Sends requests with credentials, such as the `fetch` of a connection. Default: without credentials. */
  readonly fetch?: Fetch
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: Partial<A2aLimits>
  readonly runtime?: Runtime
}

/**
 * How long an agent may take, in milliseconds. While a person answers, none of these limits runs, except `unreachedMs`
 * while they visit a page.
 */
export interface A2aLimits {
  /** The limit for the response to a message. */
  readonly sendMs: number
  /** The limit for the response to any other request. */
  readonly readMs: number
  /** The limit for the agent's work, from one question to the next. */
  readonly workMs: number
  /** How long an agent that works on a task may be out of reach before the task fails. */
  readonly unreachedMs: number
  /** The first pause between two polls of a task. Each further pause is twice as long. */
  readonly pollMs: number
  /** The longest pause between two polls of a task. */
  readonly mostPollMs: number
}

/** One task for an agent. */
export interface A2aCall {
  /** The task, in words. */
  readonly text: string
  /** Cancels the task at the agent. */
  readonly signal?: AbortSignal
}

export interface Settings {
  readonly name: string
  readonly address: string
  readonly url: URL
  readonly limits: A2aLimits
  readonly runtime: Runtime
}

export function toSettings(options: ConnectA2aOptions): Settings {
  const { name, url: address, limits, runtime = systemRuntime } = options
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new HoldpointError(
      "invalid_config",
      `“${address}” is not an address of an A2A agent. Write https://host/path.`,
    )
  return { name, address, url, runtime, limits: { ...defaultLimits, ...limits } }
}

const minute = 60_000
const defaultLimits: A2aLimits = {
  sendMs: 15 * minute,
  readMs: minute / 2,
  workMs: 60 * minute,
  unreachedMs: 5 * minute,
  pollMs: 250,
  mostPollMs: minute / 2,
}
