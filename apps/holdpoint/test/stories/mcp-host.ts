// A program in which a model works, around an official MCP client: the model calls once, the program shows links to its
// person and retries where the protocol requires it. Everything it receives is kept.

import type { CanaryKind } from "@holdpoint/testkit/canaries/kinds"
import { folderVariable, hear } from "@holdpoint/testkit/canaries/note"
import { openSearch } from "@holdpoint/testkit/canaries/note-files"
import type {
  Called,
  CallOptions,
  ClientKind,
  Endpoint,
  JsonObject,
  Prompt,
  Reply,
} from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { vi } from "vitest"

export interface Client {
  readonly kind: ClientKind
  readonly revision: string
  /** Overrides the capabilities that this client declares. */
  readonly capabilities?: JsonObject
}

export interface Generation extends Client {
  readonly of: string
  /** The expected number of completion notifications: none in revisions without this notification. */
  readonly completions: number
  /** Whether one request is held from the question to the result, with all events on it. */
  readonly isHeld: boolean
}

export interface Host {
  readonly revision: string | undefined
  /** Every link that the program showed to the person. */
  readonly links: readonly string[]
  /** Resolves with the message of the first link. */
  message(): Promise<string>
  /** Resolves with the first link. */
  link(): Promise<string>
  /** The model's result. */
  call(options?: CallOptions): Promise<Called>
  /** The number of calls without a result. */
  waiting(): number
  /** Retries the call after the person is done on the page, for clients that receive no completion. */
  tryAgain(): void
  /** The number of responses with input_required. */
  rounds(): number
  /** The progress messages. */
  progress(): readonly unknown[]
  /** The number of completion notifications received. */
  completions(): number
  /** All text that the client has received. */
  heard(): string
  close(): Promise<void>
}

export async function openHost({ kind, capabilities }: Client, endpoint: Endpoint): Promise<Host> {
  const wire = overhear()
  const prompts: LinkPrompt[] = []
  let isAgain = false
  let waiting = 0
  const client = await open(kind, endpoint.transport === "stdio" ? endpoint : { ...endpoint, fetch: wire.fetch }, {
    // The person agrees before they open the link.
    answer: (prompt) => {
      prompts.push({ url: linkOf(prompt), message: prompt.message })
      return agree(prompt)
    },
    ...(capabilities === undefined ? {} : { capabilities }),
  })
  const received = (wanted: string, member: string): readonly unknown[] =>
    client.received.flatMap(({ method, params }) => (method === wanted ? [(params as JsonObject)[member]] : []))
  const completedIds = (): readonly unknown[] => received("notifications/elicitation/complete", "elicitationId")

  const callAndComeAgain = async (options: CallOptions): Promise<Called> => {
    const called = await client.call("list_notes", {}, options)
    if (called.kind !== "error" || called.code !== -32_042) return called
    const [wanted] = (called.data as { readonly elicitations: readonly AwaitedPrompt[] }).elicitations
    if (wanted === undefined) return called
    prompts.push(wanted)
    await until(() => completedIds().includes(wanted.elicitationId) || isAgain || options.signal?.aborted === true)
    return options.signal?.aborted === true ? called : callAndComeAgain(options)
  }

  const first = async (): Promise<LinkPrompt> => {
    await until(() => prompts.length > 0)
    return prompts[0] as LinkPrompt
  }

  const heard = (): string => (endpoint.transport === "stdio" ? JSON.stringify(client.received) : wire.heard())

  return {
    revision: client.revision,
    get links() {
      return prompts.map(({ url }) => url)
    },
    message: async () => (await first()).message,
    link: async () => (await first()).url,
    call(options = {}) {
      waiting++
      return callAndComeAgain(options).finally(() => waiting--)
    },
    waiting: () => waiting,
    tryAgain() {
      isAgain = true
    },
    rounds: () => heard().split('"input_required"').length - 1,
    progress: () => received("notifications/progress", "message"),
    completions: () => completedIds().length,
    heard,
    async close() {
      await client.close()
      hear("page", `what ${kind} was told`, heard())
    },
  }
}

interface LinkPrompt {
  readonly url: string
  readonly message: string
}

interface AwaitedPrompt extends LinkPrompt {
  readonly elicitationId: string
}

const until = (isSo: () => boolean): Promise<void> =>
  vi
    .waitFor(() => isSo() || Promise.reject(new Error("the condition was not met in time")), {
      timeout: 20_000,
      interval: 10,
    })
    .then()

const linkOf = ({ url, message }: Prompt): string => url ?? /https?:\S+$/.exec(message)?.[0] ?? ""

const agree = ({ mode }: Prompt): Reply =>
  mode === "url" ? { action: "accept" } : { action: "accept", content: { acknowledged: true } }

/** Records every response, except the program's own token responses. */
function overhear() {
  const texts: string[] = []
  return {
    heard: () => texts.join("\n"),
    async fetch(input: string | URL, init?: RequestInit): Promise<Response> {
      const response = await fetch(input, init)
      if (new URL(input).pathname === "/oauth/token") return response
      const at = texts.push([...response.headers].join("\n")) - 1
      const listen = async (): Promise<void> => {
        for await (const text of response.clone().body?.pipeThrough(new TextDecoderStream()) ?? []) texts[at] += text
      }
      // Closing a stream ends its reader with an error.
      listen().catch(() => {})
      return response
    },
  }
}

/** The kinds of all secrets of this run that occur in a text. */
export function secretsIn(text: string): readonly CanaryKind[] {
  const folder = process.env[folderVariable]
  if (folder === undefined) throw new Error("The secrets of this run are not recorded.")
  const hits = openSearch(folder).find(Buffer.from(text.padEnd(text.length + 16)))
  return hits.map(({ canary }) => canary.kind)
}
