// The MCP client of `holdpoint try`: the official one, which gets its token by OAuth as any client does.

import type {
  CallToolResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  OAuthClientProvider,
  Tool,
} from "@modelcontextprotocol/client"
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { createProvider, openRedirectListener, type RedirectListener } from "./oauth.ts"

export type ElicitParams = ElicitRequestFormParams | ElicitRequestURLParams

/** The person who uses the client. */
export interface User {
  /** Receives the link to sign in at. The client itself notices the sign-in. */
  signIn(link: string): Promise<void>
  onQuestion(params: ElicitParams, withdrawn: AbortSignal): Promise<ElicitResult>
}

export interface CallOptions {
  readonly signal: AbortSignal
  readonly progress: (words: string) => void
}

export interface ToolClient {
  tools(): Promise<readonly Tool[]>
  call(tool: string, args: Readonly<Record<string, unknown>>, calling: CallOptions): Promise<CallToolResult>
  close(): Promise<void>
}

/** People need time; the official client would give up after a minute. */
const timeout = 10 * 60_000

export async function openClient(url: string, user: User, signal: AbortSignal): Promise<ToolClient> {
  const redirectListener = await openRedirectListener()
  try {
    const client = await connect(url, {
      user,
      redirectListener,
      signal,
      authProvider: createProvider(redirectListener, user.signIn),
    })
    return {
      tools: async () => (await client.listTools()).tools,
      call: (name, args, { signal, progress }) =>
        client.callTool(
          { name, arguments: { ...args } },
          { signal, timeout, onprogress: ({ message = "" }) => isFromServer(message) && progress(message) },
        ),
      async close() {
        await client.close()
        redirectListener.close()
      },
    }
  } catch (error) {
    redirectListener.close()
    throw error
  }
}

/** The official client also reports as progress that it is answering an `input_required` result. */
const isFromServer = (message: string): boolean => message !== "" && !message.startsWith("Fulfilling input required")

interface Connecting {
  readonly user: User
  readonly redirectListener: RedirectListener
  readonly signal: AbortSignal
  readonly authProvider: OAuthClientProvider
}

async function connect(url: string, connecting: Connecting): Promise<Client> {
  const { user, redirectListener, signal, authProvider } = connecting
  const client = new Client(
    { name: "holdpoint-try", title: "holdpoint try", version: "1" },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  )
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => user.onQuestion(params, mcpReq.signal))
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider })
  try {
    await client.connect(transport)
    return client
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    await transport.finishAuth(await redirectListener.answer(signal))
    return connect(url, connecting)
  }
}
