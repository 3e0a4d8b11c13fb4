// The result of one request of a call, as JSON. Results are stored in the journal, so that another process can continue
// the call after this one has died.

import { isHoldpointError } from "@holdpoint/hub"
import type { CallToolResult, Client, ElicitRequest, InputRequest, Progress, Tool } from "@modelcontextprotocol/client"
import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client"
import { limitCode } from "./gate.ts"
import { memberOf } from "./wire.ts"

export type ToolResponse =
  | { readonly kind: "result"; readonly result: CallToolResult }
  /** The server asks questions before it continues. */
  | { readonly kind: "input"; readonly requests: Readonly<Record<string, InputRequest>>; readonly state?: string }
  /** The call ended with links that the person has to visit first. */
  | { readonly kind: "links"; readonly links: readonly Link[] }
  /** The server refused the call. */
  | { readonly kind: "error"; readonly message: string }
  /** The server answered with more than this client reads. `message` says why it was not read. */
  | { readonly kind: "excess"; readonly message: string }
  /** The connection ended, and it is unknown whether the server carried out the request. */
  | { readonly kind: "lost" }
  /** The call never reached the server. */
  | { readonly kind: "unreached"; readonly message: string }
  /** The server pushes its questions during the call, so the call stays open in this process. */
  | { readonly kind: "push"; readonly upstream: string }

/** A link of the error -32042. The id is the server's own. */
export interface Link {
  readonly id: string
  readonly url: string
  readonly message: string
}

export interface ToolRequest {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly requestState?: string
  readonly inputResponses?: Readonly<Record<string, unknown>>
}

export interface SendOptions {
  readonly signal: AbortSignal
  readonly onProgress: ((progress: Progress) => void) | undefined
  /** The tool as the server last listed it. */
  readonly tool: Tool | undefined
}

/** Longer than any limit of this client. A timer with an infinite timeout would fire at once. */
const noTimeout = 2 ** 31 - 1

/** Sends the request. Throws only when the signal was aborted, or for an account that has to be connected. */
export async function sendToolRequest(
  client: Client,
  request: ToolRequest,
  options: SendOptions,
): Promise<ToolResponse> {
  const { signal, onProgress, tool } = options
  try {
    const result: unknown = await client.callTool(request as Parameters<Client["callTool"]>[0], {
      ...{ signal, timeout: noTimeout, allowInputRequired: true, toolDefinition: withoutOutput(tool, request.name) },
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    })
    return isInputRequiredResult(result) ? toInput(result) : { kind: "result", result: result as CallToolResult }
  } catch (error) {
    return judgeError(error)
  }
}

/** Returns the tool without its output schema, because the SDK would validate a response with questions against it. */
function withoutOutput(tool: Tool | undefined, name: string): Tool {
  const { inputSchema = { type: "object" } } = tool ?? {}
  return { name, inputSchema }
}

function toInput({ inputRequests = {}, requestState }: Input): ToolResponse {
  return { kind: "input", requests: inputRequests, ...(requestState === undefined ? {} : { state: requestState }) }
}

interface Input {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>
  readonly requestState?: string
}

/** Converts an error of the SDK or of a transport to the result of the request. Throws errors of Holdpoint itself. */
export function judgeError(error: unknown): ToolResponse {
  const cause = error instanceof Error ? error.cause : undefined
  for (const candidate of [error, cause]) if (isHoldpointError(candidate)) throw candidate
  if (error instanceof ProtocolError) return fromProtocolError(error)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SdkHttpError && error.status !== undefined && error.status < 500)
    // 404: the server has forgotten the session, and another connection gets a new one.
    return error.status === 404 ? { kind: "unreached", message } : { kind: "error", message }
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return { kind: "unreached", message }
  return unsentCodes.has(String(memberOf(cause, "code"))) ? { kind: "unreached", message } : { kind: "lost" }
}

/** The codes of network errors that prove that the request was not sent. */
const unsentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
])

function fromProtocolError({ code, message, data }: ProtocolError): ToolResponse {
  if (Number(code) === limitCode) return { kind: "excess", message }
  if (code !== ProtocolErrorCode.UrlElicitationRequired) return { kind: "error", message }
  const entries = memberOf(data, "elicitations")
  const links = Array.isArray(entries) ? entries.flatMap(toLink) : []
  return links.length === 0 ? { kind: "error", message } : { kind: "links", links: links.slice(0, mostLinks) }
}

const mostLinks = 10

function toLink(value: unknown): readonly Link[] {
  const [url, message, id] = ["url", "message", "elicitationId"].map((name) => memberOf(value, name))
  if (typeof url !== "string" || typeof id !== "string") return []
  return [{ id, url, message: typeof message === "string" ? message : "" }]
}

/** The elicitation in an input request. Undefined for requests of another kind. */
export function elicitationIn(request: InputRequest): ElicitRequest["params"] | undefined {
  return request.method === "elicitation/create" ? (request.params as ElicitRequest["params"]) : undefined
}
