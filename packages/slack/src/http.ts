// The endpoints that Slack calls. A request is verified before it is parsed.

import { readText } from "@holdpoint/fetching/internal"
import type { Runtime } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { slackPaths } from "./paths.ts"
import type { Received, SlackReceiver } from "./receiver.ts"
import { signatureProblem } from "./signature.ts"
import { type Json, parseJson } from "./wire.ts"

export interface SlackHttpNeeds {
  readonly receiver: SlackReceiver
  readonly signingSecret: string
  readonly runtime: Pick<Runtime, "now">
  readonly report: (activity: string, error: unknown) => void
}

/** The most bytes of a request. Slack allows a view of 250 kB, and sends it back with the entered values. */
const mostBytes = 2_000_000

/**
 * Creates the endpoints. Events, interactions and commands are distinguished by their content, so an app may use one
 * address for all.
 */
export function createSlackHttp({ receiver, signingSecret, runtime, report }: SlackHttpNeeds): Mount {
  const handledPaths: readonly string[] = [slackPaths.events, slackPaths.interactivity]

  async function answer(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } })
    const body = await readText(request, mostBytes)
    if (body === undefined) return new Response(null, { status: 413 })
    const signedRequest = { headers: request.headers, body }
    if (signatureProblem(signedRequest, { secret: signingSecret, now: runtime.now() }) !== undefined)
      return new Response(null, { status: 401 })
    const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true
    return isForm ? answerForm(new URLSearchParams(body)) : answerEvent(parseJson(body) ?? {})
  }

  async function answerForm(fields: URLSearchParams): Promise<Response> {
    const payload = fields.get("payload")
    if (payload === null) return toResponse(await receiver.command(fields))
    return toResponse(await receiver.interaction(parseJson(payload) ?? {}))
  }

  async function answerEvent(body: Json): Promise<Response> {
    // The challenge proves to Slack that this server handles the address in the app's settings.
    if (body.type === "url_verification" && typeof body.challenge === "string")
      return new Response(body.challenge, { headers: { "content-type": "text/plain" } })
    return toResponse(await receiver.event(body))
  }

  return {
    handles: (path) => handledPaths.includes(path),
    async fetch(request) {
      try {
        return await answer(request)
      } catch (error) {
        report("receiving a request of Slack", error)
        // This status does not acknowledge the request, so Slack sends an event again.
        return new Response(null, { status: 503 })
      }
    },
    close: async () => {},
  }
}

function toResponse(result: Received): Response {
  switch (result.kind) {
    case "accepted":
      return result.body === undefined ? new Response(null, { status: 200 }) : Response.json(result.body)
    case "repeated":
      return new Response(null, { status: 200 })
    case "foreign":
      return new Response(null, { status: 403, headers: noRetry })
    case "unreadable":
      return new Response(null, { status: 400, headers: noRetry })
  }
}

const noRetry = { "x-slack-no-retry": "1" }
