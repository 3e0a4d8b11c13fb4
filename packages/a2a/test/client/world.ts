// A person's runs that give tasks to an agent of others, for tests.

import type { RemoteAgent, RemoteOptions } from "@holdpoint/testkit/a2a/client/remote-agent"
import { startRemoteAgent } from "@holdpoint/testkit/a2a/client/remote-agent"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { expect, onTestFinished } from "vitest"
import type { A2aPeer, A2aReply, ConnectA2aOptions } from "../../src/client/index.ts"
import { connectA2a } from "../../src/client/index.ts"

export interface World {
  readonly caller: Caller
  readonly agent: RemoteAgent
  readonly peer: A2aPeer
  /** Gives the agent a task. Resolves to its reply, with the parts as one text. */
  send(signal?: AbortSignal): Promise<{ readonly isError: boolean; readonly words: string }>
}

export const quick = { pollMs: 5, mostPollMs: 50, unreachedMs: 100 }

export async function openWorld(
  options: RemoteOptions & Pick<ConnectA2aOptions, "limits" | "fetch" | "headers"> & { readonly mayReport?: true } = {},
): Promise<World> {
  const { limits, fetch, headers, mayReport } = options
  const caller = createCaller()
  const agent = await startRemoteAgent(options)
  onTestFinished(async () => {
    await caller.close()
    await agent.close()
    if (mayReport !== true) expect(caller.reports).toEqual([])
  })
  const peer = connectA2a({
    ...{ name: "translator", url: agent.url, limits: { ...quick, ...limits } },
    ...(fetch === undefined ? {} : { fetch }),
    ...(headers === undefined ? {} : { headers }),
  })
  const send: World["send"] = async (signal) => {
    const task = { text: "Translate: bread", ...(signal === undefined ? {} : { signal }) }
    const { isError, parts }: A2aReply = await caller.run((ask) => peer.send(ask.scope("tool"), task))
    const words = parts.map((part) => (part.type === "text" ? part.text : JSON.stringify(part))).join(" | ")
    return { isError, words }
  }
  return { caller, agent, peer, send }
}

/** Both ways to follow a task, in both versions, and the other transport. */
export const variants: readonly RemoteOptions[] = [
  { version: "1.0", isStreaming: true },
  { version: "1.0", isStreaming: false },
  { version: "0.3", isStreaming: true },
  { version: "0.3", isStreaming: false },
  { version: "1.0", isStreaming: true, binding: "HTTP+JSON" },
]
