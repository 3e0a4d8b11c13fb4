// Health checks for load balancers and supervisors: /healthz succeeds while the process answers, /readyz while it can
// work. Neither reveals an address, a version or a person.

import type { Storage } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"

/** The health of a server process. Created by `createHealth`. */
export interface Health {
  readonly mount: Mount
  /** Makes /readyz report that the server is not ready, because it is about to stop. */
  stop(): void
}

export interface HealthOptions {
  readonly storage: Pick<Storage, "trail">
  readonly now: () => number
  /** How long the database may take to answer. Default: two seconds. */
  readonly withinMs?: number
}

export const healthPath = "/healthz"
export const readyPath = "/readyz"

export function createHealth({ storage, now, withinMs = 2_000 }: HealthOptions): Health {
  let isStopping = false
  let lastCheck: { readonly at: number; readonly result: Promise<string> } | undefined
  // Anyone can send these requests as often as they like, so all requests within a second share one check of the
  // database.
  const database = (): Promise<string> => {
    if (lastCheck === undefined || now() - lastCheck.at >= sharedMs || now() < lastCheck.at)
      lastCheck = { at: now(), result: checkDatabase(storage, withinMs) }
    return lastCheck.result
  }
  const ready = async (): Promise<Response> => {
    const checks = { server: isStopping ? "stopping" : "ok", database: await database() }
    const isReady = Object.values(checks).every((result) => result === "ok")
    return Response.json({ ready: isReady, checks }, { status: isReady ? 200 : 503, headers })
  }
  return {
    mount: {
      handles: (path) => path === healthPath || path === readyPath,
      async fetch(request) {
        if (request.method !== "GET" && request.method !== "HEAD")
          return new Response("Use GET.\n", { status: 405, headers: { ...headers, allow: "GET, HEAD" } })
        return new URL(request.url).pathname === readyPath ? ready() : Response.json({ alive: true }, { headers })
      },
      close: async () => {},
    },
    stop() {
      isStopping = true
    },
  }
}

const headers = { "cache-control": "no-store" }
const sharedMs = 1_000

/** Returns “ok”, or the problem without details of the installation, because anyone can read it. */
async function checkDatabase({ trail }: HealthOptions["storage"], withinMs: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${withinMs} ms`), withinMs)
  })
  const answer = trail.end().then(
    () => "ok",
    () => "cannot be reached",
  )
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
