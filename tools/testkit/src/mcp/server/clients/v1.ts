// The official client of SDK version 1, which speaks 2025-11-25 and older.

import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { compiled } from "../../../compiled.ts"
import type { ClientOptions, Endpoint, JsonObject, Prompt, TestClient } from "./client.ts"
import { reconnecting, toError, toPrompt, toResult } from "./client.ts"
import { tap } from "./tap.ts"
import { askable } from "./v2.ts"

export async function openV1(endpoint: Endpoint, options: ClientOptions): Promise<TestClient> {
  const prompts: Prompt[] = []
  const client = new Client(
    { name: options.name ?? "v1-client", version: "1.32.2" },
    { capabilities: options.capabilities ?? askable },
  )
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    const prompt = toPrompt(params)
    prompts.push(prompt)
    return { ...(await options.answer(prompt, signal)) }
  })
  const transport = toTransport(endpoint, options)
  let revision: string | undefined
  transport.setProtocolVersion = ((inner) => (version: string) => {
    revision = version
    inner?.call(transport, version)
  })(transport.setProtocolVersion)
  await client.connect(transport)
  const received = tap(transport)
  return {
    revision,
    prompts,
    received,
    send: (message) => transport.send(message as never),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, callOptions = {}) {
      try {
        return toResult((await client.callTool({ name, arguments: { ...args } }, undefined, callOptions)) as JsonObject)
      } catch (error) {
        return toError(error)
      }
    },
    close: () => client.close(),
  }
}

function toTransport(endpoint: Endpoint, options: ClientOptions): Transport {
  if (endpoint.transport === "stdio") {
    const { command, args, env } = endpoint
    return new StdioClientTransport({ command, args: [...args], env: { ...compiled, ...env } })
  }
  const { url, fetch, headers = {}, authProvider } = endpoint
  // Its types are not compatible with `exactOptionalPropertyTypes`.
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers: { ...headers } },
    ...reconnecting(options),
    ...(authProvider === undefined ? {} : { authProvider: authProvider as never }),
  }) as unknown as Transport
}
