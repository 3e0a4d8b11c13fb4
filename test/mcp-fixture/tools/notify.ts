// Tools that send notifications while they run, or that change lists for subscribers.

import { setTimeout as pause } from "node:timers/promises"
import { InMemoryServerEventBus, type McpServer, type ServerContext } from "@modelcontextprotocol/server"
import { text } from "../samples.ts"

/** Notifies listening clients of changes, because each request has its own server object. */
export const changes = new InMemoryServerEventBus()

/** Long enough that a notification before the pause is sent before the pause ends. */
const pauseMs = 50

export function registerNotifying(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description: "Logs three lines while it runs." }, async (ctx) => {
    await inSteps(["Tool execution started", "Tool processing data", "Tool execution completed"], (line) =>
      ctx.mcpReq.log("info", line),
    )
    return text("Logged three lines.")
  })
  server.registerTool("test_logging_tool", { description: "Logs one line, if the caller wants logs." }, async (ctx) => {
    await ctx.mcpReq.log("info", "Logging tool called")
    return text("Logged what the caller wanted.")
  })
  server.registerTool("test_tool_with_progress", { description: "Reports how far it is." }, async (ctx) => {
    await inSteps([0, 50, 100], (progress) => report(ctx, progress))
    return text("Went from 0 to 100.")
  })
  server.registerTool("test_reconnection", { description: "Ends its stream before it answers." }, async (ctx) => {
    ctx.http?.closeSSE?.()
    await pause(pauseMs)
    return text("Answered after the stream ended.")
  })
  server.registerTool("test_trigger_tool_change", { description: "Says that tools changed." }, () => {
    changes.publish({ kind: "tools_list_changed" })
    return text("Said that tools changed.")
  })
  server.registerTool("test_trigger_prompt_change", { description: "Says that prompts changed." }, () => {
    changes.publish({ kind: "prompts_list_changed" })
    return text("Said that prompts changed.")
  })
}

async function inSteps<T>(steps: readonly T[], perform: (step: T) => Promise<void>): Promise<void> {
  for (const step of steps) {
    await perform(step)
    await pause(pauseMs)
  }
}

async function report(ctx: ServerContext, progress: number): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } })
}
