// The official client of SDK version 2, in its three ways to negotiate a revision.

import type { ClientOptions as SdkOptions, VersionNegotiationMode } from "@modelcontextprotocol/client"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { compiled } from "../../../compiled.ts"
import type { ClientOptions, Endpoint, JsonObject, Prompt, TestClient } from "./client.ts"
import { reconnecting, toError, toPrompt, toResult } from "./client.ts"
import { tap } from "./tap.ts"

export const askable = { elicitation: { form: {}, url: {} } }

export async function openV2(
  mode: VersionNegotiationMode,
  endpoint: Endpoint,
  options: ClientOptions,
): Promise<TestClient> {
  const prompts: Prompt[] = []
  const capabilities = (options.capabilities ?? askable) as NonNullable<SdkOptions["capabilities"]>
  const client = new Client(
    { name: options.name ?? "v2-client", version: "2.4.0" },
    { capabilities, versionNegotiation: { mode } },
  )
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const prompt = toPrompt(params)
      prompts.push(prompt)
      return { ...(await options.answer(prompt, mcpReq.signal)) }
    })
  }
  const transport = endpoint.transport === "stdio" ? toStdio(endpoint) : toHttp(endpoint, options)
  await client.connect(transport)
  const received = tap(transport)
  return {
    revision: client.getNegotiatedProtocolVersion(),
    prompts,
    received,
    send: (message) => transport.send(message as never),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, callOptions = {}) {
      try {
        const result = await client.callTool({ name, arguments: { ...args } }, callOptions)
        return toResult(result as JsonObject)
      } catch (error) {
        return toError(error)
      }
    },
    close: () => client.close(),
  }
}

function toStdio({ command, args, env }: Extract<Endpoint, { transport: "stdio" }>): StdioClientTransport {
  return new StdioClientTransport({ command, args: [...args], env: { ...compiled, ...env }, stderr: "inherit" })
}

function toHttp(
  endpoint: Extract<Endpoint, { transport: "http" }>,
  options: ClientOptions,
): StreamableHTTPClientTransport {
  const { url, fetch, headers = {}, authProvider } = endpoint
  const auth = authProvider === undefined ? {} : { authProvider }
  const requestInit = { headers: { ...headers } }
  return new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit, ...auth, ...reconnecting(options) })
}
