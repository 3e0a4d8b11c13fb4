// A handler that may ask. Written once as a straight line; held where the client keeps its request open, run again where
// the client comes back.

import type { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server"
import { HoldpointError } from "../../core/error.ts"
import type { Ask } from "./ask.ts"
import { toRequest } from "./request.ts"
import { connections } from "./surface.ts"

/**
 * Wraps the handler of a tool, prompt or resource. It gets what the SDK would give it, with `ask` in place of the
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
  return async (...given: readonly unknown[]) => {
    const context = given.at(-1) as ServerContext
    const input = given.slice(0, -1)
    const connection = connections.getStore()
    // Servers of the generation before give their handlers another context.
    const incoming = connection?.incoming.get((context as Partial<ServerContext>).mcpReq?.id ?? "")
    if (connection === undefined || incoming === undefined) throw notServed()
    const handle = async (ask: Ask) => run(...input, ask)
    const request = toRequest(connection, context, incoming)
    const answer = (
      loaded === undefined
        ? load().then(({ serveCall }) => serveCall(request, handle))
        : loaded.serveCall(request, handle)
    ) as Promise<Result>
    incoming.answer = answer
    return answer
  }
}

/** Where the place it stands in does not say what a handler is given, it is given nothing but `ask`. */
type HandlerInput<Input extends readonly unknown[]> = number extends Input["length"] ? [Ask] : [...Input, Ask]

let loaded: typeof import("./serve-call.ts") | undefined

/** Loaded with the first call. Nothing is kept of that for those that are held. */
async function load(): Promise<typeof import("./serve-call.ts")> {
  loaded = await import("./serve-call.ts")
  return loaded
}

function notServed(): HoldpointError {
  return new HoldpointError(
    "invalid_config",
    "A holdable handler was called outside of createMcp: serve the server with createMcp({ server, … }), and make it with " +
      "McpServer of @modelcontextprotocol/server 2.x, since a server of @modelcontextprotocol/sdk 1.x cannot ask.",
  )
}
