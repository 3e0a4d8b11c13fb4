// The interface of every test client, whatever revision it speaks: one interface over the official clients and
// handwritten ones.

import type { OAuthClientProvider } from "@modelcontextprotocol/client"

export const clientKinds = [
  "v2 pinned to 2026-07-28",
  "v2 auto",
  "v2 legacy",
  "v1.32",
  "raw 2025-06-18",
  "raw draft",
  "no capability",
] as const
export type ClientKind = (typeof clientKinds)[number]

export const transportKinds = ["stdio", "sessionful", "stateless"] as const
export type TransportKind = (typeof transportKinds)[number]

/** How to reach the server. With `stateless`, clients over HTTP may be told not to send their session id back. */
export type Endpoint =
  | {
      readonly transport: "stdio"
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | {
      readonly transport: "http"
      readonly url: string
      readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>
      readonly headers?: Readonly<Record<string, string>>
      readonly forgetsSession?: boolean
      /** For official clients that have to get their token first. */
      readonly authProvider?: OAuthClientProvider
    }

/** A question as the client got it. */
export interface Prompt {
  /** The mode as sent; absent where the revision has none. */
  readonly mode?: "form" | "url"
  readonly message: string
  readonly url?: string
  readonly elicitationId?: string
  readonly requestedSchema?: JsonObject
}

export interface Reply {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Readonly<Record<string, string | number | boolean | string[]>>
}

/** The person at the client. `withdrawn` aborts when the server withdraws its question. */
export type Answering = (prompt: Prompt, withdrawn: AbortSignal) => Reply | Promise<Reply>

export interface ClientOptions {
  readonly answer: Answering
  /** Replaces the capabilities that this kind of client declares. */
  readonly capabilities?: JsonObject
  readonly name?: string
  /** How soon an official client resumes a stream that was cut. Default: its own, a second. */
  readonly resumesAfterMs?: number
}

/** The official clients' own settings but for the pause before a cut stream is resumed. */
export const reconnecting = ({ resumesAfterMs }: ClientOptions): object =>
  resumesAfterMs === undefined
    ? {}
    : {
        reconnectionOptions: {
          initialReconnectionDelay: resumesAfterMs,
          maxReconnectionDelay: 30_000,
          reconnectionDelayGrowFactor: 1.5,
          maxRetries: 2,
        },
      }

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeout?: number
  /** For official clients. */
  readonly resetTimeoutOnProgress?: boolean
  readonly onprogress?: (progress: Progress) => void
}

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export type Called =
  | { readonly kind: "result"; readonly isError: boolean; readonly text: string; readonly result: JsonObject }
  | { readonly kind: "error"; readonly code: number | string; readonly message: string; readonly data?: unknown }

export interface TestClient {
  /** The revision that was agreed on. */
  readonly revision: string | undefined
  listTools(): Promise<readonly string[]>
  call(tool: string, args?: JsonObject, options?: CallOptions): Promise<Called>
  /** Everything that was asked, in order. */
  readonly prompts: Prompt[]
  /** Everything that came in after connecting. */
  readonly received: JsonObject[]
  /** Sends a message as it is, without the client's checks. */
  send(message: JsonObject): Promise<void>
  close(): Promise<void>
}

export type JsonObject = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export function toResult(result: JsonObject): Called {
  const content = Array.isArray(result.content) ? result.content.filter(isObject) : []
  const text = content.map((block) => (typeof block.text === "string" ? block.text : "")).join("\n")
  return { kind: "result", isError: result.isError === true, text, result }
}

/** Converts the errors that official clients of both SDK versions throw. */
export function toError(error: unknown): Called {
  if (!(error instanceof Error)) return { kind: "error", code: "unknown", message: String(error) }
  const { code, data } = error as Error & { code?: unknown; data?: unknown }
  const known = typeof code === "number" || typeof code === "string" ? code : error.name
  return { kind: "error", code: known, message: error.message, data }
}

export function toPrompt(params: unknown): Prompt {
  if (!isObject(params) || typeof params.message !== "string") throw new Error("a prompt without a message")
  const { mode, message, url, elicitationId, requestedSchema } = params
  return {
    ...(mode === "form" || mode === "url" ? { mode } : {}),
    message,
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof elicitationId === "string" ? { elicitationId } : {}),
    ...(isObject(requestedSchema) ? { requestedSchema } : {}),
  }
}
