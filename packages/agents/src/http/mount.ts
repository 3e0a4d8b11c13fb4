// Mounts the run API: checks the origin of each request and identifies its caller before a route runs.

import type { Mount, ResourceServer } from "@holdpoint/hub/internal"
import { Hono } from "hono"
import { listQuestions, postAnswer } from "./answer.ts"
import type { RunCallers } from "./callers.ts"
import { runPath } from "./callers.ts"
import { postChat } from "./chat.ts"
import { withOpenAiError } from "./completions/error.ts"
import { completionsPath, postCompletion } from "./completions/route.ts"
import { repeatStream, resumeStream, showConversation, showTimeline, stopRun } from "./conversation.ts"
import { followEvents } from "./events/route.ts"
import { type DescribedRoute, describeRunApi } from "./openapi/document.ts"
import { operations } from "./openapi/operations.ts"
import type { Origins } from "./origins.ts"
import type { ApiParts, Route } from "./parts.ts"
import { failureProblem, problem } from "./problem.ts"
import { type StreamPlace, streamOwnerOf } from "./stream-owner.ts"
import { postToken } from "./token.ts"

interface RouteRow extends DescribedRoute {
  readonly route: Route
  /** Whether the response may be a stream. */
  readonly isStream?: boolean
  /** Converts refusals to the format that clients of this route read. */
  readonly toRefusal?: (response: Response) => Promise<Response>
}

export const routes: readonly RouteRow[] = [
  { method: "POST", path: "/run/api/chat", route: postChat, isStream: true, operation: operations.chat },
  {
    method: "GET",
    path: "/run/api/chat/:id/stream",
    route: repeatStream,
    isStream: true,
    operation: operations.repeatStream,
  },
  { method: "POST", path: "/run/api/chat/:id/stop", route: stopRun, operation: operations.stop },
  { method: "POST", path: "/run/api/elicitation-responses", route: postAnswer, operation: operations.answer },
  { method: "GET", path: "/run/api/elicitations", route: listQuestions, operation: operations.listQuestions },
  { method: "GET", path: "/run/api/events", route: followEvents, isStream: true, operation: operations.events },
  {
    method: "GET",
    path: "/run/api/conversations/:id",
    route: showConversation,
    operation: operations.showConversation,
  },
  {
    ...{ method: "GET", path: "/run/api/conversations/:id/timeline" },
    ...{ route: showTimeline, operation: operations.showTimeline },
  },
  {
    method: "GET",
    path: "/run/api/conversations/:id/stream",
    route: resumeStream,
    isStream: true,
    operation: operations.resumeStream,
  },
  {
    method: "POST",
    path: completionsPath,
    route: postCompletion,
    isStream: true,
    operation: operations.complete,
    toRefusal: withOpenAiError,
  },
  { method: "POST", path: "/run/api/tokens", route: postToken, operation: operations.makeToken },
]

export interface RunMountParts extends ApiParts {
  readonly callers: RunCallers
  readonly origins: Origins
  /** Verifies access tokens. Undefined when the server accepts no access tokens. */
  readonly resource: ResourceServer | undefined
  /** Closes the runs. Called after the streams were closed. */
  readonly close: () => Promise<void>
}

export function createRunMount(parts: RunMountParts): Mount {
  const { callers, origins, resource, report } = parts
  const metadataPath = resource === undefined ? undefined : new URL(resource.metadataUrl).pathname
  const app = new Hono()
  for (const { method, path, route, isStream = false, toRefusal = returnUnchanged } of routes)
    app.on(method, path, async (context) => {
      const request = context.req.raw
      const caller = await callers(request)
      if (caller instanceof Response) return toRefusal(caller)
      const streamPlace = isStream ? parts.places.take(streamOwnerOf(caller)) : noPlace
      if (streamPlace === undefined) return toRefusal(tooManyStreams())
      const isStillAllowed = async (): Promise<boolean> => !((await callers(request)) instanceof Response)
      const visit = { request, caller, place: streamPlace, path: context.req.param(), isStillAllowed }
      const response = await releaseUnlessStream(streamPlace, () => route(parts, visit))
      // The body of a response to HEAD is never read, so its stream would never be closed.
      if (request.method === "HEAD") await response.body?.cancel()
      return response.ok ? response : toRefusal(response)
    })
  // Served to unknown callers: the document reveals nothing about this server's agents and people.
  app.get(`${runPath}/openapi.json`, () => Response.json(describeRunApi(routes)))
  app.notFound(({ req }) => {
    const detail = `${req.method} ${req.path} does not exist. The API is described at ${runPath}/openapi.json.`
    return problem({ status: 404, code: "not_found", detail })
  })
  app.onError((error) => {
    report("answering a request of the run API", error)
    return failureProblem(error)
  })
  return {
    handles: (path) => path === runPath || path.startsWith(`${runPath}/`) || path === metadataPath,
    async fetch(request) {
      // Public metadata, which any page reads before it has a token (RFC 9728).
      const metadata = resource?.metadata(request)
      if (metadata !== undefined) return metadata
      return origins.guard(request, () => app.fetch(request))
    },
    async close() {
      parts.streams.close()
      await parts.close()
    },
  }
}

/** Releases the place at once when the response is not a stream: a refusal, one body, or nothing to read. */
async function releaseUnlessStream(place: StreamPlace, respond: () => Promise<Response>): Promise<Response> {
  let isStream = false
  try {
    const response = await respond()
    isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
    return response
  } finally {
    if (!isStream) place.release()
  }
}

/** The place of routes that never respond with a stream. */
const noPlace: StreamPlace = { release: () => {} }

function tooManyStreams(): Response {
  const detail =
    "You have too many streams open at this server. Nothing was sent. Close tabs or programs, and try again."
  const response = problem({ status: 429, code: "too_many_streams", detail })
  response.headers.set("retry-after", "60")
  return response
}

const returnUnchanged = async (response: Response): Promise<Response> => response
