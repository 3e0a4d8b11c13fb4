// A program in which a model works, around an official MCP client: the model calls once, the program shows links to its
// person and comes again by itself where the protocol wants that. Everything that it is told is kept.

import { vi } from "vitest"
import type {
  Called,
  CallOptions,
  ClientKind,
  JsonObject,
  Prompt,
  Reply,
  Way,
} from "../../../../packages/holdpoint/test/surfaces/mcp/clients/client.ts"
import { open } from "../../../../packages/holdpoint/test/surfaces/mcp/clients/open.ts"
import { openSearch } from "../../../../test/canaries/books.ts"
import type { CanaryKind } from "../../../../test/canaries/kinds.ts"
import { folderVariable, hear } from "../../../../test/canaries/note.ts"

export interface Client {
  readonly kind: ClientKind
  readonly revision: string
  /** Instead of what this client declares. */
  readonly capabilities?: JsonObject
}

export interface Generation extends Client {
  readonly of: string
  /** How often it is told that the page is done: not at all where its revision does not know that. */
  readonly completions: number
  /** It has one request that is held from the question to the result, and hears of everything on it. */
  readonly isHeld: boolean
}

export interface Host {
  readonly revision: string | undefined
  /** Every link that the person was shown, however. */
  readonly links: readonly string[]
  /** What was said with the first of them, as soon as it is there. */
  message(): Promise<string>
  /** The first of them, as soon as it is there. */
  link(): Promise<string>
  /** What the model gets. */
  call(options?: CallOptions): Promise<Called>
  /** Calls that the model has no answer to yet. */
  waiting(): number
  /** The person says that they are done at the page, where nothing else tells. */
  tryAgain(): void
  /** How often its calls were answered with having to come again. */
  rounds(): number
  /** What it was told of how things stand, in words. */
  progress(): readonly unknown[]
  /** How often it was told that the page is done. */
  completions(): number
  /** Everything that came over the wire. */
  heard(): string
  close(): Promise<void>
}

export async function openHost({ kind, capabilities }: Client, way: Way): Promise<Host> {
  const wire = overhear()
  const prompts: Shown[] = []
  let isAgain = false
  let waiting = 0
  const client = await open(kind, way.transport === "stdio" ? way : { ...way, fetch: wire.fetch }, {
    // The person opens the link, and has said so before they did.
    answer: (prompt) => {
      prompts.push({ url: linkOf(prompt), message: prompt.message })
      return agree(prompt)
    },
    ...(capabilities === undefined ? {} : { capabilities }),
  })
  const received = (wanted: string, member: string): readonly unknown[] =>
    client.received.flatMap(({ method, params }) => (method === wanted ? [(params as JsonObject)[member]] : []))
  const told = (): readonly unknown[] => received("notifications/elicitation/complete", "elicitationId")

  const callAndComeAgain = async (options: CallOptions): Promise<Called> => {
    const called = await client.call("list_notes", {}, options)
    if (called.kind !== "error" || called.code !== -32_042) return called
    const [wanted] = (called.data as { readonly elicitations: readonly Wanted[] }).elicitations
    if (wanted === undefined) return called
    prompts.push(wanted)
    await until(() => told().includes(wanted.elicitationId) || isAgain || options.signal?.aborted === true)
    return options.signal?.aborted === true ? called : callAndComeAgain(options)
  }

  const first = async (): Promise<Shown> => {
    await until(() => prompts.length > 0)
    return prompts[0] as Shown
  }

  const heard = (): string => (way.transport === "stdio" ? JSON.stringify(client.received) : wire.heard())

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
    completions: () => told().length,
    heard,
    async close() {
      await client.close()
      hear("page", `what ${kind} was told`, heard())
    },
  }
}

interface Shown {
  readonly url: string
  readonly message: string
}

interface Wanted extends Shown {
  readonly elicitationId: string
}

const until = (isSo: () => boolean): Promise<void> =>
  vi
    .waitFor(() => isSo() || Promise.reject(new Error("it did not come to it")), { timeout: 20_000, interval: 10 })
    .then()

const linkOf = ({ url, message }: Prompt): string => url ?? /https?:\S+$/.exec(message)?.[0] ?? ""

const agree = ({ mode }: Prompt): Reply =>
  mode === "url" ? { action: "accept" } : { action: "accept", content: { acknowledged: true } }

/** Every response as it comes, but for the token that the program gets for itself. */
function overhear() {
  const said: string[] = []
  return {
    heard: () => said.join("\n"),
    async fetch(input: string | URL, init?: RequestInit): Promise<Response> {
      const response = await fetch(input, init)
      if (new URL(input).pathname === "/oauth/token") return response
      const at = said.push([...response.headers].join("\n")) - 1
      const listen = async (): Promise<void> => {
        for await (const text of response.clone().body?.pipeThrough(new TextDecoderStream()) ?? []) said[at] += text
      }
      // Who closes a stream hears its end as an error.
      listen().catch(() => {})
      return response
    },
  }
}

/** The kinds of all secrets of this run that stand in a text. */
export function secretsIn(text: string): readonly CanaryKind[] {
  const folder = process.env[folderVariable]
  if (folder === undefined) throw new Error("Nobody notes the secrets of this run.")
  const found = openSearch(folder).find(Buffer.from(text.padEnd(text.length + 16)))
  return found.map(({ canary }) => canary.kind)
}
