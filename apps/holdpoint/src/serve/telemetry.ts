// The telemetry of a server process: log lines on standard error, metrics at a path, and spans to the OpenTelemetry SDK
// that the process has registered.

import { createHash, timingSafeEqual } from "node:crypto"
import { HoldpointError, paths } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { createTelemetry } from "@holdpoint/hub/telemetry"
import type { Call } from "../command.ts"
import type { LogFormat, Settings } from "../config.ts"
import { isLoopback } from "../loopback.ts"
import type { StorageSession } from "../session.ts"
import { toHost } from "./listen.ts"

export interface ServerTelemetry {
  /** Receives the reports of hub and vault, and of other code of this server. */
  readonly observer: ReturnType<typeof createTelemetry>
  /** The metrics, if they are switched on. */
  readonly mounts: readonly Mount[]
  /** Call it after the server is closed, and before the storage is closed. */
  close(): Promise<void>
}

export async function openTelemetry(
  { io, out }: Call,
  { storage, keys, settings, report }: Omit<StorageSession, "sealer">,
  log: LogFormat,
): Promise<ServerTelemetry> {
  const metrics = toMetrics(settings)
  const api = await loadApi()
  const observer = createTelemetry({
    ...{ storage, keys, report, now: io.runtime.now },
    ...(api === undefined ? {} : { openTelemetry: { api } }),
    ...(log === "off" ? {} : { log: { as: log, write: (line: string) => out.note(line) } }),
  })
  const mounts = metrics === undefined ? [] : [metricsMount(observer.prometheusText, metrics)]
  return { observer, mounts, close: observer.close }
}

/** Undefined when the optional package is not installed. */
async function loadApi(): Promise<typeof import("@opentelemetry/api") | undefined> {
  try {
    return await import("@opentelemetry/api")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined
    throw error
  }
}

export interface Metrics {
  readonly path: string
  readonly token?: string
}

/** Throws `invalid_config` when other machines could read the metrics without a token. */
export function toMetrics({ telemetry, pages }: Pick<Settings, "telemetry" | "pages">): Metrics | undefined {
  const { metrics: path, metricsToken: token } = telemetry
  if (path === undefined) {
    if (token === undefined) return undefined
    throw invalid("telemetry.metricsToken is set, but telemetry.metrics is not. Set it to a path, such as /metrics.")
  }
  if (!/^\/[\w.-]+(?:\/[\w.-]+)*$/.test(path) || isPage(path))
    throw invalid(`telemetry.metrics cannot be “${path}”. Write a path that no page has, such as /metrics.`)
  if (token !== undefined && token.length < shortestToken)
    throw invalid(`telemetry.metricsToken needs at least ${shortestToken} characters. Use a random one.`)
  const { host, publicUrl = `http://${toHost(host)}` } = pages
  if (token === undefined && !(isLoopback(`http://${toHost(host)}`) && isLoopback(publicUrl)))
    throw invalid(
      "The metrics could be read from other machines. Set telemetry.metricsToken, which readers send as a bearer token, or listen on a loopback address without a public address.",
    )
  return { path, ...(token === undefined ? {} : { token }) }
}

const shortestToken = 16

const invalid = (message: string): HoldpointError => new HoldpointError("invalid_config", message)

/** Whether the path begins with the same segment as a page. */
const isPage = (path: string): boolean =>
  Object.values(paths).some((page) => page.split("/")[1] !== "" && page.split("/")[1] === path.split("/")[1])

export function metricsMount(read: () => string, { path, token }: Metrics): Mount {
  return {
    handles: (pathname) => pathname === path,
    async fetch(request) {
      if (request.method !== "GET" && request.method !== "HEAD") return plain(405, "Use GET.", { allow: "GET, HEAD" })
      // Without a token, a web page in this machine's browser could read the metrics by DNS rebinding.
      if (token === undefined && !isLoopback(new URL(request.url).origin))
        return plain(421, "Use the loopback address.")
      if (token !== undefined && !hasToken(request, token))
        return plain(401, "Send telemetry.metricsToken of the settings as a bearer token.", {
          "www-authenticate": "Bearer",
        })
      return plain(200, read(), { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
    },
    close: async () => {},
  }
}

function hasToken({ headers }: Request, token: string): boolean {
  const [, sentToken = ""] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? []
  const [a, b] = [sentToken, token].map((text) => createHash("sha256").update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

const plain = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(status === 200 ? body : `${body}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  })
