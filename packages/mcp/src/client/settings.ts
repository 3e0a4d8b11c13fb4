// The options of a connection to an MCP server, and their defaults.

import type { Runtime } from "@holdpoint/hub"
import { systemRuntime } from "@holdpoint/hub"
import type { Implementation, Progress, Tool, Transport } from "@modelcontextprotocol/client"

/** An MCP server to connect to. */
export interface ConnectOptions {
  /** The name of the server, shown to people as the asker. */
  readonly name: string
  /** The address of the server, shown to people beside the name. */
  readonly address?: string
  /** Opens a transport. Called for the first use, and again after the connection was lost. */
  readonly transport: () => Transport | Promise<Transport>
  /** The name and version of this program, sent to the server. */
  readonly client?: Implementation
  /** The protocol revision. Default: probed with the first connection, and remembered for the next ones. */
  readonly revision?: "2026-07-28" | "2025-11-25"
  readonly limits?: Partial<CallLimits>
  /** Called when the server notifies that its tools have changed. */
  readonly onToolsChanged?: () => void
  readonly runtime?: Runtime
}

/** How long a server may take, in milliseconds, and how often it may ask. While a person answers, none of these limits runs, except `openMs`. */
export interface CallLimits {
  readonly connectMs: number
  /** The limit for one response of the server. */
  readonly callMs: number
  /**
   * The limit for a response after the person agreed to open a page: the server may wait until they have finished
   * there.
   */
  readonly heldMs: number
  /** How long a call of a server of revision 2025-11-25 is kept open while a person answers. */
  readonly openMs: number
  /** How many questions a server may ask in one call. With more, the call is cancelled. */
  readonly questions: number
}

/** One call of a tool. */
export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /**
   * The server's annotations of the tool. A call whose process died is repeated only if they mark the tool as read-only
   * or idempotent.
   */
  readonly annotations?: Tool["annotations"]
  /** Cancels the call at the server. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

export interface Settings {
  readonly name: string
  readonly address: string | undefined
  readonly limits: CallLimits
  readonly runtime: Runtime
  readonly client: Implementation
}

export function toSettings({
  name,
  address,
  limits,
  runtime = systemRuntime,
  client = defaultClient,
}: SettingsOptions): Settings {
  return { name, address, runtime, client, limits: { ...defaultLimits, ...limits } }
}

type SettingsOptions = Pick<ConnectOptions, "name" | "address" | "limits" | "runtime" | "client">

const defaultClient: Implementation = { name: "holdpoint", version: "1" }

const minute = 60_000
const defaultLimits: CallLimits = {
  connectMs: 30_000,
  callMs: minute,
  heldMs: 10 * minute,
  openMs: 60 * minute,
  questions: 20,
}
