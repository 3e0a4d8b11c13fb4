// MCP clients of several generations, each with the same person. Each client may show questions in its own way; these
// print them and give scripted answers.

import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as FirstTransportType } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"

export interface Answer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Readonly<Record<string, string | boolean>>
}

/** The person at the client. */
export type Person = (question: { readonly message: string; readonly url?: string }) => Answer

/** The server's address, or the program that the client starts. */
export type ServerLocation =
  | { readonly url: string; readonly authProvider?: OAuthClientProvider }
  | { readonly program: string }

export type Revision = "2026-07-28" | "2025-11-25"

export interface ConnectedClient {
  /** Calls the tool. Returns the text for the model, and whether the tool failed. */
  call(
    name: string,
    args?: Readonly<Record<string, string>>,
  ): Promise<{ readonly text: string; readonly isError: boolean }>
  close(): Promise<void>
}

/** The official client. It speaks 2025-11-25 by default, and declares no elicitation without a person. */
export async function connect(location: ServerLocation, revision: Revision, person?: Person): Promise<ConnectedClient> {
  const mode = revision === "2025-11-25" ? "legacy" : { pin: revision }
  const capabilities = person === undefined ? {} : { elicitation: { form: {}, url: {} } }
  const client = new Client({ name: "client", version: "2.4.0" }, { capabilities, versionNegotiation: { mode } })
  if (person !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => ({ ...toResult(person(params)) }))
  }
  await client.connect(
    "url" in location
      ? new StreamableHTTPClientTransport(new URL(location.url), location)
      : new StdioClientTransport({ command: process.execPath, args: [location.program], stderr: "inherit" }),
  )
  return {
    call: async (name, args) => read(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  }
}

/** The official client of the previous generation. */
export async function connectFirst(url: string, person: Person): Promise<ConnectedClient> {
  const client = new FirstClient({ name: "client", version: "1.32.2" }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...toResult(person(params)) }))
  // The client's types do not allow for `exactOptionalPropertyTypes`.
  await client.connect(new FirstTransport(new URL(url)) as unknown as FirstTransportType)
  return {
    call: async (name, args) => read(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  }
}

const toResult = ({ action, content }: Answer) => ({
  action,
  ...(content === undefined ? {} : { content: { ...content } }),
})

function read(result: object) {
  const { content, isError } = result as { readonly content: unknown; readonly isError?: boolean }
  const [first] = content as readonly { readonly text: string }[]
  return { text: first?.text ?? "", isError: isError === true }
}
