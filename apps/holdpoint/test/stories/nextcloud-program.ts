// A program with a model and an official MCP client: it shows prompts to its person, whose answers come from a test,
// and retries where the protocol requires it.

import { hear } from "@holdpoint/testkit/canaries/note"
import type {
  Called,
  ClientKind,
  Endpoint,
  JsonObject,
  Prompt,
  Reply,
} from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { vi } from "vitest"

export interface ProgramOptions {
  readonly kind: ClientKind
  /** The name in its client info. */
  readonly name?: string
}

export interface NextcloudProgram {
  /** Every prompt that the program has shown, in order. */
  readonly prompts: readonly Prompt[]
  /** Returns the person's answer to a form. Default: yes. */
  answers: (prompt: Prompt) => Reply
  /** Resolves with the prompt with this number, from 1. */
  prompt(number: number): Promise<Prompt>
  tools(): Promise<readonly string[]>
  call(tool: string, args?: JsonObject): Promise<Called>
  /** The number of completion notifications received. */
  completions(): number
  close(): Promise<void>
}

export async function openProgram({ kind, name }: ProgramOptions, endpoint: Endpoint): Promise<NextcloudProgram> {
  const prompts: Prompt[] = []
  const client = await open(kind, endpoint, {
    ...(name === undefined ? {} : { name }),
    answer(prompt) {
      prompts.push(prompt)
      return prompt.mode === "url" ? { action: "accept" } : program.answers(prompt)
    },
  })
  const completed = (): readonly unknown[] =>
    client.received.flatMap(({ method, params }) =>
      method === "notifications/elicitation/complete" ? [(params as JsonObject).elicitationId] : [],
    )
  const program: NextcloudProgram = {
    prompts,
    answers: () => ({ action: "accept", content: { confirmed: true } }),
    async prompt(number) {
      await until(() => prompts.length >= number, `prompt ${number}`)
      return prompts[number - 1] as Prompt
    },
    tools: () => client.listTools(),
    async call(tool, args = {}) {
      const called = await client.call(tool, args)
      if (called.kind !== "error" || called.code !== -32_042) return called
      const { elicitations } = called.data as { readonly elicitations: readonly Prompt[] }
      prompts.push(...elicitations)
      await until(
        () => elicitations.every(({ elicitationId }) => completed().includes(elicitationId)),
        "its completion",
      )
      return program.call(tool, args)
    },
    completions: () => completed().length,
    async close() {
      await client.close()
      hear("page", `what ${kind} was told`, JSON.stringify(client.received))
    },
  }
  return program
}

const until = async (isSo: () => boolean, what: string): Promise<void> => {
  await vi.waitFor(() => isSo() || Promise.reject(new Error(`${what} did not come`)), { timeout: 20_000, interval: 10 })
}

/** The text of a call's result for models, successful or not. */
export const textOf = (called: Called): string => (called.kind === "result" ? called.text : called.message)

export const dataOf = (called: Called): JsonObject =>
  called.kind === "result" ? ((called.result.structuredContent ?? {}) as JsonObject) : {}

export const linkOf = ({ url }: Prompt): string => url ?? ""
