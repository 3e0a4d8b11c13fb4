// Handlers that may ask. Authors write them as straight-line code. For a client that keeps its request open, the
// handler is suspended in memory; for a client that calls again, it runs again from its beginning.

import { HoldpointError } from "@holdpoint/hub"
import type { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server"
import type { Ask } from "./ask.ts"
import { toRequest } from "./request.ts"
import { connections } from "./surface.ts"

/**
 * Wraps the handler of a tool, prompt or resource. The handler gets the SDK's arguments, with `ask` in place of the
 * context, which is `ask.context`.
 */
export function holdable<Input extends readonly unknown[], Result>(
  handler: (...input: HandlerInput<Input>) => Result | Promise<Result>,
): (...input: [...Input, ServerContext]) => Promise<Result | InputRequiredResult>
export function holdable<Input extends readonly unknown[], Result>(
  handler: (...input: [...Input, Ask]) => Result | Promise<Result>,
): (...input: [...Input, ServerContext]) => Promise<Result | InputRequiredResult>
export function holdable<Result>(
  handler: (...input: never) => Result | Promise<Result>,
): (...input: never) => Promise<Result | InputRequiredResult> {
  const run = handler as (...input: readonly unknown[]) => Result | Promise<Result>
  return async (...args: readonly unknown[]) => {
    const context = args.at(-1) as ServerContext
    const input = args.slice(0, -1)
    const connection = connections.getStore()
    // Servers of the previous SDK version pass a different context to their handlers.
    const incoming = connection?.incoming.get((context as Partial<ServerContext>).mcpReq?.id ?? "")
    if (connection === undefined || incoming === undefined) throw notServed()
    const handle = async (ask: Ask) => run(...input, ask)
    const request = toRequest(connection, context, incoming)
    const answer = (
      serveCallModule === undefined
        ? load().then(({ serveCall }) => serveCall(request, handle))
        : serveCallModule.serveCall(request, handle)
    ) as Promise<Result>
    incoming.answer = answer
    return answer
  }
}

/** The arguments of the handler. Only `ask` when the types do not say which arguments the SDK passes. */
type HandlerInput<Input extends readonly unknown[]> = number extends Input["length"] ? [Ask] : [...Input, Ask]

let serveCallModule: typeof import("./serve-call.ts") | undefined

/**
 * Loads serve-call.ts with the first call. Later calls use `serveCallModule`, which needs no memory in each held call.
 */
async function load(): Promise<typeof import("./serve-call.ts")> {
  serveCallModule = await import("./serve-call.ts")
  return serveCallModule
}

function notServed(): HoldpointError {
  return new HoldpointError(
    "invalid_config",
    "A holdable handler was called outside of createMcp: serve the server with createMcp({ server, … }), and make it with " +
      "McpServer of @modelcontextprotocol/server 2.x, since a server of @modelcontextprotocol/sdk 1.x cannot ask.",
  )
}
